import assert from 'node:assert/strict';
import { editorModelId, isEditorModel, parseEditorModelId } from '../../../src/core/editorModelId.ts';
import { definitionOfEditorTool, offeredName, offeredTools } from '../../../src/core/editorTools.ts';

describe('names of the editor’s models', () => {
  it('come back as they were, whatever is in them', () => {
    for (const name of [
      { vendor: 'copilot', family: 'gpt-4o', id: 'gpt-4o' },
      { vendor: 'open router', family: 'meta/llama 100%', id: 'meta/llama-3:free 1%2F' },
    ]) {
      const model = editorModelId(name);
      assert.ok(isEditorModel(model) && !/\s/.test(model), model);
      assert.deepEqual(parseEditorModelId(model), name);
    }
    assert.equal(editorModelId({ vendor: 'copilot', family: 'gpt-4o', id: 'gpt-4o' }), 'vscode:copilot/gpt-4o/gpt-4o');
  });

  it('are not read out of anything else, and a bare per cent sign is itself', () => {
    for (const model of ['claude-opus-5', 'vscode:', 'vscode:a/b', 'vscode:a//c']) {
      assert.equal(parseEditorModelId(model), undefined, model);
    }
    assert.deepEqual(parseEditorModelId('vscode:a/b/100%'), { vendor: 'a', family: 'b', id: '100%' });
    assert.deepEqual(parseEditorModelId('vscode:a/b/%ff'), { vendor: 'a', family: 'b', id: '%ff' });
  });
});

describe('tools of the editor', () => {
  const takenName = /^[a-zA-Z0-9_-]{1,64}$/;
  const tool = (name: string, inputSchema?: Record<string, unknown>) => ({
    name,
    description: 'Does it.',
    ...(inputSchema && { inputSchema }),
  });

  it('have names that the API takes, that tell them apart and never change', () => {
    const names = [
      'read',
      'mcp_github_create_issue',
      'a.b',
      'a b',
      'a_b',
      'é',
      `${'x'.repeat(80)}1`,
      `${'x'.repeat(80)}2`,
    ];
    const offered = names.map(offeredName);
    for (const name of offered) assert.match(name, takenName);
    assert.equal(new Set(offered).size, names.length);
    assert.equal(offered[0], 'editor_read');
    assert.equal(offered[1], 'editor_mcp_github_create_issue');
    assert.ok(offered.every((name) => name.startsWith('editor_')));
    // On record in sessions and in rules: pinned.
    assert.equal(offeredName('a.b'), 'editor_a_b_108bf50c');
  });

  it('are offered in one order, and one of two that would have the same name', () => {
    const clash = { name: offeredName('a.b').slice('editor_'.length), description: 'Another one.' };
    const tools = [tool('b'), tool('a.b'), clash, tool('a')];
    const offered = [...offeredTools(tools)];
    assert.deepEqual(offered, [...offeredTools(tools.toReversed())]);
    assert.deepEqual(
      offered.map(([, { name }]) => name),
      ['a', 'a.b', 'b'],
    );
  });

  it('keep a schema that is fine, and get one where there is none', () => {
    const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
    const { input_schema, description } = definitionOfEditorTool(tool('a', schema));
    assert.deepEqual(input_schema, schema);
    assert.equal(description, 'Does it.');
    assert.deepEqual(definitionOfEditorTool(tool('a')).input_schema, { type: 'object', properties: {} });
    assert.deepEqual(definitionOfEditorTool(tool('a', { $schema: 'http://x', type: 'object' })), {
      name: 'editor_a',
      description: 'Does it.',
      input_schema: { type: 'object', properties: {} },
    });
  });

  it('tell in words what of a schema cannot be sent', () => {
    for (const schema of [
      { oneOf: [{ required: ['a'] }, { required: ['b'] }], properties: { a: {}, b: {} } },
      { type: 'string' },
      { type: 'object', properties: { 'not a name!': { type: 'string' } } },
      { type: 'object', properties: [] },
    ]) {
      const { input_schema, description } = definitionOfEditorTool(tool('a', schema));
      assert.equal(input_schema.type, 'object');
      assert.equal('oneOf' in input_schema, false);
      assert.ok(description.includes(JSON.stringify(schema)), description);
    }
  });

  it('have a description of a length that can be sent, also when they have none', () => {
    assert.equal(definitionOfEditorTool({ name: 'a', description: ' ' }).description, 'The tool a of the editor.');
    const long = definitionOfEditorTool({ name: 'a', description: '🎉'.repeat(5_000) }).description;
    assert.ok(long.length <= 4_000 && long.isWellFormed());
  });
});
