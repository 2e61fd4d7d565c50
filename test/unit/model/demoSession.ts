// A session for the demo without runner and disk: a conversation, tools that remember what they were asked, and requests
// that the strict rules of the API are put to. It can be cut at any call and resumed.
import assert from 'node:assert/strict';
import type {
  AssistantBlock,
  ModelRequest,
  RequestMessage,
  ToolResultBlock,
  ToolUseBlock,
} from '../../../src/core/messages.ts';
import { createAnthropicModel } from '../../../src/model/anthropic.ts';
import { createDemoFetch, offlineDemoEndpoint } from '../../../src/model/offlineDemo.ts';
import { buildSystemPrompt } from '../../../src/model/systemPrompt.ts';
import { readMessagesRequest } from '../../support/messagesServer/validateRequest.ts';
import { defaultRules } from '../../support/messagesServer/validationRules.ts';

export interface Answer {
  readonly content: string;
  readonly isError?: true;
}

type FakeTool = (input: Readonly<Record<string, unknown>>) => Answer;

export class DemoSession {
  readonly messages: RequestMessage[] = [];
  /** Calls that took effect, as `tool argument`. */
  readonly effects: string[] = [];
  readonly files = new Map<string, string>();
  readonly tasks: { readonly id: string; readonly title: string; status: string }[] = [];
  /** Decides instead of the tool when it returns something. */
  intercept: (call: ToolUseBlock) => Answer | undefined = () => undefined;
  readonly #platform: string;
  readonly #model = createAnthropicModel({ ...offlineDemoEndpoint, fetch: createDemoFetch({ delayMs: 0 }) });

  constructor(platform = 'linux') {
    this.#platform = platform;
  }

  say(text: string, context?: string): void {
    const content = [text, ...(context === undefined ? [] : [`<resume_context>\n${context}\n</resume_context>`])];
    this.messages.push({ role: 'user', content: content.map((part) => ({ type: 'text', text: part })) });
  }

  /** Runs until the script ends its turn or, when given, until so many requests were made. Returns the texts. */
  async run(requests = 50): Promise<string> {
    const texts: string[] = [];
    for (let left = requests; left > 0; left -= 1) {
      const { content, stopReason } = await this.#answer();
      texts.push(...content.flatMap((block) => (block.type === 'text' ? block.text : [])));
      const calls = content.filter((block) => block.type === 'tool_use');
      this.messages.push({ role: 'assistant', content });
      if (calls.length === 0) {
        assert.equal(stopReason, 'end_turn');
        return texts.join('\n');
      }
      assert.equal(stopReason, 'tool_use');
      this.messages.push({ role: 'user', content: calls.map((call) => this.#result(call)) });
    }
    return texts.join('\n');
  }

  async #answer(): Promise<{ readonly content: readonly AssistantBlock[]; readonly stopReason: string }> {
    const request: ModelRequest = {
      model: 'claude-opus-4-8',
      max_tokens: 1000,
      system: [
        {
          type: 'text',
          text: buildSystemPrompt({ folderName: 'f', folderPath: '/f', platform: this.#platform, shell: 'sh' }),
        },
      ],
      tools: ['tasks', 'run_command', 'write', 'read'].map((name) => ({
        name,
        description: name,
        input_schema: { type: 'object' },
      })),
      messages: this.messages,
    };
    const read = readMessagesRequest(JSON.stringify(request), defaultRules);
    assert.ok(read.ok, read.ok ? '' : read.error.message);
    return this.#model.stream(request, { onDelta: () => undefined, signal: new AbortController().signal });
  }

  #result(call: ToolUseBlock): ToolResultBlock {
    const answer = this.intercept(call) ??
      this.#tools[call.name]?.(call.input) ?? { content: 'No such tool', isError: true };
    return {
      type: 'tool_result',
      tool_use_id: call.id,
      content: answer.content,
      ...(answer.isError && { is_error: true }),
    };
  }

  readonly #tools: Readonly<Record<string, FakeTool>> = {
    tasks: ({ action, titles, id, status }) => {
      if (action === 'add' && Array.isArray(titles)) {
        for (const title of titles) {
          this.tasks.push({ id: `t${(this.tasks.length + 7).toString(36)}x`, title: String(title), status: 'pending' });
        }
      } else {
        const task = this.tasks.find((candidate) => candidate.id === id);
        assert.ok(task && action === 'update' && typeof status === 'string', 'an update of a task that is there');
        task.status = status;
      }
      const marks: Readonly<Record<string, string>> = { completed: '[x]', in_progress: '[~]', pending: '[ ]' };
      const lines = this.tasks.map((task) => `${marks[task.status] ?? '?'} ${task.id} ${task.title}`);
      return { content: ['some of them completed', ...lines].join('\n') };
    },
    write: ({ file_path, content }) => {
      assert.ok(typeof file_path === 'string' && typeof content === 'string');
      this.files.set(file_path, content);
      this.effects.push(`write ${file_path}`);
      return { content: `wrote ${file_path}` };
    },
    read: ({ file_path }) => {
      this.effects.push(`read ${String(file_path)}`);
      return { content: 'what is there' };
    },
    run_command: ({ command }) => {
      assert.ok(typeof command === 'string');
      this.effects.push(`run ${command}`);
      const mode = command.split(' ').at(-1);
      if (mode === 'train')
        return { content: 'Exit code 0 after 20 s.\n\nepoch 20/20\ntraining finished: y = 1.9 * x + 1.0' };
      if (mode === 'evaluate')
        return { content: 'Exit code 0 after 1 s.\n\nevaluation finished: mean error 0.05 over 24 points' };
      return { content: 'Exit code 0 after 1 s.\n\ndata ok: 24 rows' };
    },
  };
}
