// What the providers need of a log. The SDK's logger and the editor's log channel both have this shape.

export interface ModelLog {
  error(message: string, ...rest: unknown[]): void;
  warn(message: string, ...rest: unknown[]): void;
  info(message: string, ...rest: unknown[]): void;
  debug(message: string, ...rest: unknown[]): void;
}

const nothing = (): void => undefined;

export const silentLog: ModelLog = { error: nothing, warn: nothing, info: nothing, debug: nothing };
