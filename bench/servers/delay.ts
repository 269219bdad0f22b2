import { connect, createServer, type Socket } from 'node:net';
import { settingsOf, tell } from '../children.js';

/** A proxy that hands every chunk on after a pause: half of the round trip on the way there, half on the way back. */
const { port, roundTripMs } = settingsOf<{ port: number; roundTripMs: number }>();
const later = (work: () => void) => setTimeout(work, roundTripMs / 2);

function pass(from: Socket, to: Socket): void {
  from.on('data', (chunk) => later(() => to.writable && to.write(chunk)));
  from.on('end', () => later(() => to.end()));
  from.on('error', () => later(() => to.destroy()));
}

const server = createServer({ noDelay: true }, (near) => {
  const far = connect({ port, host: '127.0.0.1', noDelay: true });
  pass(near, far);
  pass(far, near);
});
server.listen(0, '127.0.0.1', () => tell(server.address() as { port: number }));
