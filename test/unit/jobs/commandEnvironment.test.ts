import assert from 'node:assert/strict';
import { commandEnvironment } from '../../../src/jobs/commandEnvironment.ts';
import { createRunningTime } from '../../../src/jobs/runningTime.ts';

describe('environment of a command', () => {
  it('is the base, and over it what is added', () => {
    assert.deepEqual(commandEnvironment({ PATH: '/bin', A: '1', B: undefined }, { A: '2', C: '3' }), {
      PATH: '/bin',
      A: '2',
      C: '3',
    });
  });

  it('has nothing of the SDK, of VS Code and of Electron', () => {
    const base = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'u', VSCODE_PID: '1', ELECTRON_RUN_AS_NODE: '1' };
    assert.deepEqual(commandEnvironment({ ...base, vscode_nls_config: '{}', MY_VSCODE: 'kept' }), {
      MY_VSCODE: 'kept',
    });
  });

  it('has no key that is one of the secrets, and every other key', () => {
    const base = { GATEWAY_API_KEY: 'sesame', X_AUTH_TOKEN: 'sesame', OTHER_API_KEY: 'mine', EMPTY_API_KEY: '' };
    assert.deepEqual(commandEnvironment(base, { Y_API_KEY: 'sesame', WORD: 'sesame' }, ['sesame', '']), {
      OTHER_API_KEY: 'mine',
      EMPTY_API_KEY: '',
      WORD: 'sesame',
    });
  });

  it('has no variable that holds a secret, whatever its name: alone, in part, or encoded', () => {
    const key = 'sk-ant-api03-0123456789';
    const base = {
      MY_LLM: key,
      NOTES: ` ${key}\n`,
      PROXY: `http://user:${key}@proxy:3128`,
      BASIC: Buffer.from(`user:${key}`).toString('base64'),
      HEX: Buffer.from(key).toString('hex'),
      CONFIG: JSON.stringify({ key }),
      KEPT: 'sk-ant-api03-',
    };
    assert.deepEqual(commandEnvironment(base, { EXTRA: key, OTHER: 'x' }, [key]), {
      KEPT: 'sk-ant-api03-',
      OTHER: 'x',
    });
  });

  it('keeps what a word that stands for a key is a part of', () => {
    const base = { PATH: '/home/ada/.cache/lm-studio/bin:/bin', SERVER: 'lm-studio' };
    assert.deepEqual(commandEnvironment(base, {}, ['lm-studio']), { PATH: '/home/ada/.cache/lm-studio/bin:/bin' });
  });

  it('has one variable a name on Windows, whatever its case', () => {
    assert.deepEqual(commandEnvironment({ Path: 'a' }, { PATH: 'b' }, [], 'win32'), { PATH: 'b' });
    assert.deepEqual(commandEnvironment({ Path: 'a' }, { PATH: 'b' }, [], 'linux'), { Path: 'a', PATH: 'b' });
  });
});

describe('running time', () => {
  it('counts what passes between ticks, and of a sleep only the longest step', () => {
    const time = createRunningTime(3_000);
    assert.deepEqual(
      [500, 1_500, 3_600_000, 3_601_000].map((now) => time.tick(now)),
      [0, 1_000, 4_000, 5_000],
    );
  });

  it('does not count a clock that goes back', () => {
    const time = createRunningTime(3_000);
    assert.deepEqual(
      [1_000, 400, 900].map((now) => time.tick(now)),
      [0, 0, 500],
    );
  });
});
