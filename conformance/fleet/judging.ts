import { doJobs } from '../parallel.js';
import { keepNewman } from '../postman/index.js';
import type { Report } from '../report/index.js';
import type { Progress, ToJudge } from './apart.js';
import { judgeService } from './judge.js';

keepNewman();
doJobs<ToJudge, Report, Progress>(({ service, place }, following) => judgeService(service, place, following));
