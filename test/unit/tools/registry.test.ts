import assert from 'node:assert/strict';
import { createTools } from '../../../src/tools/registry.ts';
import { FakeJobs } from './fakeJobs.ts';

describe('createTools', () => {
  const create = () => createTools({ jobs: () => new FakeJobs() });

  it('offers the tools in a fixed order with their effects', () => {
    assert.deepEqual(
      create().map(({ definition, effect }) => [definition.name, effect]),
      [
        ['read', 'read'],
        ['glob', 'read'],
        ['grep', 'read'],
        ['write', 'edit'],
        ['edit', 'edit'],
        ['run_command', 'command'],
        ['tasks', 'tasks'],
      ],
    );
  });

  it('defines them the same way each time, byte for byte, as data that nobody can change', () => {
    const definitions = create().map(({ definition }) => definition);
    assert.equal(JSON.stringify(definitions), JSON.stringify(create().map(({ definition }) => definition)));
    for (const definition of definitions) {
      assert.deepEqual(Object.keys(definition), ['name', 'description', 'input_schema']);
      assert.equal(definition.input_schema.type, 'object');
      assert.ok(Object.isFrozen(definition) && Object.isFrozen(definition.input_schema.properties));
    }
  });
});
