// The language models that this editor has for extensions, as the ports of src/model know them. Nothing is asked for
// before somebody wants it: a look wakes the extensions that provide models.
import * as vscode from 'vscode';
import { z } from 'zod';
import { editorModelId, parseEditorModelId } from '../core/editorModelId.ts';
import type { EditorAnswerPart, EditorChat } from '../model/editorModel.ts';
import type { EditorMessage, EditorPart, EditorRequest } from '../model/editorMessages.ts';
import type { Log } from './log.ts';

export interface EditorModelInfo {
  /** `vscode:vendor/family/id`. */
  readonly model: string;
  readonly name: string;
  readonly vendor: string;
  /** Tokens of one request. */
  readonly maxInputTokens: number;
  readonly takesImages: boolean;
}

export interface FoundEditorModel {
  readonly info: EditorModelInfo;
  readonly chat: EditorChat;
}

/** After a reload, models are there only when the extension that provides them has begun. */
const appearanceMs = 10_000;
const betweenLooksMs = 5_000;
const justification = 'Ratchet sends the conversation of its sessions to this model, which decides on the next step.';

export class EditorModels implements vscode.Disposable {
  readonly #log: Log;
  #known: readonly EditorModelInfo[] = [];
  #hasLooked = false;
  #lookedAt = 0;
  readonly #changed = new vscode.EventEmitter<void>();
  /** What is known may be another set, since somebody looked. */
  readonly onDidChange = this.#changed.event;
  readonly #subscription = vscode.lm.onDidChangeChatModels(() => {
    if (this.#hasLooked) this.#look();
  });

  constructor(log: Log) {
    this.#log = log;
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  /** As it was listed last; undefined before, which makes it look. */
  known(model: string): EditorModelInfo | undefined {
    if (!this.#hasLooked) this.#look();
    return this.#known.find((each) => each.model === model);
  }

  #look(): void {
    this.#hasLooked = true;
    // A provider that describes its models anew at each look would be looked at without an end.
    if (Date.now() - this.#lookedAt < betweenLooksMs) return;
    this.#lookedAt = Date.now();
    this.list().then(
      () => {
        this.#changed.fire();
      },
      (error: unknown) => {
        this.#log("The editor's models could not be listed", error);
      },
    );
  }

  /** Those that can call tools, in the order of the editor. */
  async list(): Promise<readonly EditorModelInfo[]> {
    this.#hasLooked = true;
    const chats = await vscode.lm.selectChatModels({});
    this.#known = chats.filter(callsTools).map(infoOf);
    return this.#known;
  }

  /** Waits a while for one that is not there yet; undefined when it does not come. */
  async find(model: string): Promise<FoundEditorModel | undefined> {
    const name = parseEditorModelId(model);
    if (!name) return undefined;
    const wait = { isOver: false, changed: Promise.withResolvers<undefined>() };
    const listening = vscode.lm.onDidChangeChatModels(() => {
      wait.changed.resolve(undefined);
    });
    const timer = setTimeout(() => {
      wait.isOver = true;
      wait.changed.resolve(undefined);
    }, appearanceMs);
    try {
      for (;;) {
        const found = (await vscode.lm.selectChatModels({ ...name })).find(callsTools);
        if (found) {
          const info = infoOf(found);
          this.#known = [...this.#known.filter((each) => each.model !== info.model), info];
          return { info, chat: chatOf(found, info.takesImages) };
        }
        if (wait.isOver) return undefined;
        await wait.changed.promise;
        wait.changed = Promise.withResolvers();
      }
    } finally {
      clearTimeout(timer);
      listening.dispose();
    }
  }
}

/** Not in the types of the oldest editor that is supported. */
const abilitiesSchema = z.object({
  capabilities: z.object({ supportsToolCalling: z.boolean().nullish(), supportsImageToText: z.boolean().nullish() }),
});

function abilitiesOf(chat: vscode.LanguageModelChat): z.infer<typeof abilitiesSchema>['capabilities'] {
  return abilitiesSchema.safeParse(chat).data?.capabilities ?? {};
}

/** Unless the editor says otherwise. */
function callsTools(chat: vscode.LanguageModelChat): boolean {
  return abilitiesOf(chat).supportsToolCalling !== false;
}

function infoOf(chat: vscode.LanguageModelChat): EditorModelInfo {
  const { name, vendor, maxInputTokens } = chat;
  const takesImages = abilitiesOf(chat).supportsImageToText === true;
  return { model: editorModelId(chat), name, vendor, maxInputTokens, takesImages };
}

function chatOf(chat: vscode.LanguageModelChat, takesImages: boolean): EditorChat {
  return {
    name: chat.name,
    takesImages,
    send: (request, signal) => send(chat, request, signal),
    countTokens: async (text, signal) => chat.countTokens(text, tokenOf(signal)),
  };
}

async function send(
  chat: vscode.LanguageModelChat,
  request: EditorRequest,
  signal: AbortSignal,
): Promise<AsyncIterable<EditorAnswerPart>> {
  const response = await chat.sendRequest(
    request.messages.map(messageOf),
    {
      justification,
      tools: request.tools.map(({ name, description, input_schema }) => ({
        name,
        description,
        inputSchema: input_schema,
      })),
    },
    tokenOf(signal),
  );
  return answerParts(response.stream);
}

async function* answerParts(stream: AsyncIterable<unknown>): AsyncGenerator<EditorAnswerPart> {
  for await (const part of stream) {
    if (part instanceof vscode.LanguageModelTextPart) yield { kind: 'text', text: part.value };
    else if (part instanceof vscode.LanguageModelToolCallPart)
      yield { kind: 'call', id: part.callId, name: part.name, input: part.input };
    else yield { kind: 'other' };
  }
}

function messageOf({ role, parts }: EditorMessage): vscode.LanguageModelChatMessage {
  const { User, Assistant } = vscode.LanguageModelChatMessageRole;
  return new vscode.LanguageModelChatMessage(role === 'user' ? User : Assistant, parts.map(inputPart));
}

function inputPart(part: EditorPart): vscode.LanguageModelInputPart {
  switch (part.kind) {
    case 'text':
      return new vscode.LanguageModelTextPart(part.text);
    case 'image':
      return vscode.LanguageModelDataPart.image(Buffer.from(part.data, 'base64'), part.mediaType);
    case 'call':
      return new vscode.LanguageModelToolCallPart(part.id, part.name, part.input);
    case 'result':
      return new vscode.LanguageModelToolResultPart(part.callId, [new vscode.LanguageModelTextPart(part.text)]);
  }
}

/** Cancelled with the signal, by whose owner the end is always said. */
export function tokenOf(signal: AbortSignal): vscode.CancellationToken {
  const source = new vscode.CancellationTokenSource();
  if (signal.aborted) source.cancel();
  else
    signal.addEventListener(
      'abort',
      () => {
        source.cancel();
        source.dispose();
      },
      { once: true },
    );
  return source.token;
}
