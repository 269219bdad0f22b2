export { makePage, type PageFile } from './page.js';
