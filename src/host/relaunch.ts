// Goes on with a session: shown first, with the preview where that is wanted or due.
import { confirmResume } from './resumePreview.ts';
import { revealChat, type Runtime } from './runtime.ts';

/** @param wanted somebody asked for the preview. @throws RatchetError as a resume does */
export async function relaunch(
  runtime: Runtime,
  sessionId: string,
  mode: 'resume' | 'retry',
  wanted = false,
): Promise<void> {
  await runtime.panel.open(sessionId);
  await revealChat(runtime);
  const chosen = await confirmResume(runtime, sessionId, { mode }, wanted);
  if (chosen) await runtime.sessions.resume(sessionId, chosen);
}
