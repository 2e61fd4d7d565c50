// What the tests' own extension contributes: a vendor of language models, and a tool. In an end-to-end test it is a
// whole extension (main.ts); in the host suites there is only the manifest, and the suite itself is its code.
export const vendor = 'ratchet-test';
export const stampTool = 'ratchet_test_stamp';

/** As the provider describes its one model. */
export const testModel = {
  id: 'scripted',
  name: 'Scripted',
  family: 'script',
  version: '1',
  maxInputTokens: 100_000,
  maxOutputTokens: 8_000,
  capabilities: { toolCalling: true, imageInput: false },
} as const;

/** The id by which Ratchet knows it. */
export const testModelId = `vscode:${vendor}/${testModel.family}/${testModel.id}`;

export const manifest = {
  name: 'ratchet-test-models',
  publisher: 'ratchet-dev',
  version: '0.0.1',
  license: 'MIT',
  engines: { vscode: '^1.106.0' },
  activationEvents: [`onLanguageModelChatProvider:${vendor}`, `onLanguageModelTool:${stampTool}`],
  contributes: {
    languageModelChatProviders: [{ vendor, displayName: 'Ratchet tests' }],
    languageModelTools: [
      {
        name: stampTool,
        displayName: 'Stamp',
        modelDescription: 'Stamps a word.',
        inputSchema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
      },
    ],
  },
} as const;
