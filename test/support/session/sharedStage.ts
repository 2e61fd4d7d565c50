// The stage that most end-to-end tests stand on, whichever file they are in. It is closed when the last one is over.
import { Stage } from './stage.ts';

export const stage = new Stage();

// Outside of any `describe`: a hook of the whole run.
after(async function () {
  this.timeout(60_000);
  await stage.dispose();
});
