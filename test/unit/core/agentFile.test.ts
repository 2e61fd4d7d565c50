import assert from 'node:assert/strict';
import { parseAgentFile, type ParsedAgentFile } from '../../../src/core/agentFile.ts';

const tools = ['read', 'glob', 'grep', 'write', 'edit', 'run_command', 'tasks'];

function parse(fields: string, body = 'You review.'): ParsedAgentFile {
  return parseAgentFile(`---\n${fields}\n---\n${body}\n`, tools);
}

function agentOf(fields: string): Extract<ParsedAgentFile, { kind: 'agent' }>['agent'] {
  const parsed = parse(fields);
  assert.ok(parsed.kind === 'agent', JSON.stringify(parsed));
  return parsed.agent;
}

const named = 'name: reviewer\ndescription: Reviews.';

describe("an agent's file", () => {
  it('gives its name, description, tools, model and text', () => {
    const parsed = parseAgentFile(
      '---\r\nname: code-reviewer\r\ndescription: Use it when: work is done.\r\ntools: Read, Grep\r\nmodel: sonnet\r\n---\r\n\r\nYou review.\r\nWith care.\r\n',
      tools,
    );
    assert.deepEqual(parsed, {
      kind: 'agent',
      agent: {
        name: 'code-reviewer',
        description: 'Use it when: work is done.',
        instructions: 'You review.\nWith care.',
        tools: ['read', 'grep'],
        model: 'sonnet',
      },
      warnings: [],
    });
  });

  it('has all tools and the model of the session when it names none', () => {
    for (const fields of [named, `${named}\nmodel: inherit`, `${named}\nmodel:`]) {
      const agent = agentOf(fields);
      assert.equal(agent.tools, undefined);
      assert.equal(agent.model, undefined);
    }
  });

  const lists: readonly (readonly [string, readonly string[]])[] = [
    ['tools: read', ['read']],
    ['tools: [Read, "Grep"]', ['read', 'grep']],
    ['tools:\n  - Read\n  - Bash', ['read', 'run_command']],
    ['tools:\n- Read\n- LS\n- Glob', ['read', 'glob']],
    ['tools: Read, Edit, MultiEdit, Task', ['read', 'edit']],
    ['tools: [\n  Read,\n  TodoWrite\n]', ['read', 'tasks']],
  ];
  for (const [field, expected] of lists) {
    it(`may list its tools as ${JSON.stringify(field)}`, () => {
      assert.deepEqual(agentOf(`${named}\n${field}`).tools, expected);
    });
  }

  it('goes without tools that are not there, and says so', () => {
    const parsed = parse(`${named}\ntools: Read, WebSearch, mcp__x__y`);
    assert.ok(parsed.kind === 'agent');
    assert.deepEqual(parsed.agent.tools, ['read']);
    assert.deepEqual(parsed.warnings, ['There are no tools WebSearch, mcp__x__y; it goes without.']);
  });

  it('may have quotes, comments, long texts and fields of others', () => {
    const agent = agentOf(
      '# mine\nname: "reviewer"\ncolor: blue\nhooks:\n  stop: x\ndescription: >\n  Reviews what\n  was done.\n',
    );
    assert.deepEqual([agent.name, agent.description], ['reviewer', 'Reviews what was done.']);
    assert.equal(agentOf("name: reviewer\ndescription: 'It''s \"mine\"'").description, 'It\'s "mine"');
  });

  const wrong: readonly (readonly [string, RegExp, string?])[] = [
    ['description: Reviews.', /field "name" is missing/],
    ['name: reviewer', /field "description" is missing/],
    ['name: a b\ndescription: x', /name "a b" may have letters/],
    [named, /no text after the fields/, '  \n'],
    [`${named}\nname: other`, /"name" is there twice/],
    [`${named}\njust words`, /Line 4 is not "field: value": just words/],
    [`${named}\ntools: WebSearch`, /None of its tools are there\. There are: read, glob/],
    [`${named}\ntools: []`, /None of its tools/],
    [`${named}\ntools: [Read`, /"tools" has a quote or bracket that is not closed/],
    ['name: "reviewer\ndescription: x', /"name" has a quote/],
  ];
  for (const [fields, words, body] of wrong) {
    it(`is refused with ${words.source}`, () => {
      const parsed = parse(fields, body);
      assert.ok(parsed.kind === 'invalid');
      assert.match(parsed.reason, words);
    });
  }

  it('is refused without its fields, or when they do not end', () => {
    for (const text of ['', 'You review.', '--- name: x', '---\nname: x\n']) {
      assert.equal(parseAgentFile(text, tools).kind, 'invalid', text);
    }
  });

  it('never names a tool that every object has', () => {
    assert.equal(parse(`${named}\ntools: constructor, __proto__`).kind, 'invalid');
  });
});
