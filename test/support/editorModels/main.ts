// An extension of the tests' own: a language model and a tool whose answers come from the test, outside of the editor.
// Bundled and packaged by install.ts.
import process from 'node:process';
import * as vscode from 'vscode';
import { modelAnswerSchema, serviceVariable, type ModelRequest, type Part } from './calls.ts';
import { stampTool, testModel, vendor } from './manifest.ts';

export function activate(context: vscode.ExtensionContext): void {
  const service = process.env[serviceVariable];
  if (service === undefined) return;
  const post = async (path: string, body: unknown, token: vscode.CancellationToken): Promise<string> => {
    const stop = new AbortController();
    token.onCancellationRequested(() => {
      stop.abort();
    });
    const response = await fetch(new URL(path, service), {
      method: 'POST',
      body: JSON.stringify(body),
      signal: stop.signal,
    });
    return await response.text();
  };
  context.subscriptions.push(
    vscode.lm.registerLanguageModelChatProvider(vendor, {
      provideLanguageModelChatInformation: () => [testModel],
      provideTokenCount: async (_model, text) => Math.ceil(JSON.stringify(text).length / 4),
      provideLanguageModelChatResponse: async (_model, messages, { tools = [] }, progress, token) => {
        const request: ModelRequest = { messages: messages.map(messageOf), tools: tools.map(toolOf) };
        for (const part of modelAnswerSchema.parse(JSON.parse(await post('/model', request, token)))) {
          progress.report(responsePart(part));
        }
      },
    }),
    vscode.lm.registerTool<unknown>(stampTool, {
      invoke: async ({ input }, token) =>
        new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(await post('/tool', input, token))]),
    }),
  );
}

function messageOf({ role, content }: vscode.LanguageModelChatRequestMessage): ModelRequest['messages'][number] {
  return {
    role: role === vscode.LanguageModelChatMessageRole.User ? 'user' : 'assistant',
    parts: content.map(partOf),
  };
}

function partOf(part: unknown): Part {
  if (part instanceof vscode.LanguageModelTextPart) return { kind: 'text', text: part.value };
  if (part instanceof vscode.LanguageModelToolCallPart)
    return { kind: 'call', id: part.callId, name: part.name, input: { ...part.input } };
  if (part instanceof vscode.LanguageModelToolResultPart)
    return { kind: 'result', callId: part.callId, text: part.content.map(partOf).map(textOf).join('') };
  throw new Error('a part that no test sends');
}

function textOf(part: Part): string {
  return part.kind === 'text' ? part.text : '';
}

function toolOf({ name, description, inputSchema }: vscode.LanguageModelChatTool): ModelRequest['tools'][number] {
  return { name, description, inputSchema };
}

function responsePart(part: Part): vscode.LanguageModelResponsePart {
  switch (part.kind) {
    case 'text':
    case 'result':
      return new vscode.LanguageModelTextPart(part.text);
    case 'call':
      return new vscode.LanguageModelToolCallPart(part.id, part.name, part.input);
  }
}
