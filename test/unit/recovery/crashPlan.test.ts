import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hostCrashPoints, rareCrashPoints, supervisorCrashPoints } from '../../../src/platform/crashPoint.ts';
import { allPlaces, crashCase, roundLength } from '../../crash/plan.ts';
import { oneOfEach } from '../../support/fakes/oneOfEach.ts';

const source = join(import.meta.dirname, '..', '..', '..', 'src');
const named = [...hostCrashPoints, ...supervisorCrashPoints, ...rareCrashPoints];

/** Records that no run writes one by one, and what is killed around instead. */
const copied: Readonly<Record<string, string>> = {
  session_forked: 'before_fork_named',
  session_imported: 'before_import_named',
};

async function pointsInSource(): Promise<ReadonlySet<string>> {
  const points = new Set<string>();
  for await (const file of glob(join(source, '**', '*.ts'))) {
    if (file.endsWith('crashPoint.ts')) continue;
    for (const [, name] of (await readFile(file, 'utf8')).matchAll(/\bcrashPoint\(([^)]*)\)/g)) {
      const literal = /^'(\w+)'$/.exec(name ?? '')?.[1];
      assert.ok(literal, `${file}: crashPoint(${name ?? ''}) is not a name that can be looked for`);
      points.add(literal);
    }
  }
  return points;
}

describe('the plan of the crash test', () => {
  it('reaches every named place of the product, and each name is a place', async () => {
    const points = await pointsInSource();
    assert.deepEqual([...points].sort(), [...named].sort());
    assert.deepEqual(
      [...points].filter((point) => !allPlaces.includes(point)),
      [],
    );
  });

  it('reaches both sides of every record that there can be', () => {
    const missing = Object.keys(oneOfEach).flatMap((type) => {
      const instead = copied[type];
      return (instead === undefined ? [`test_before_${type}`, `test_after_${type}`] : [instead]).filter(
        (place) => !allPlaces.includes(place),
      );
    });
    assert.deepEqual(missing, [], 'a new kind of record needs a case in test/crash/features that writes it');
  });

  it('has a case in each round that aims at each place', () => {
    for (const seed of [1, 2]) {
      const aimed = new Set<string>();
      for (let number = 0; number < roundLength; number++)
        for (const { at } of crashCase(seed, number).kills) if ('point' in at) aimed.add(at.point);
      assert.deepEqual(
        allPlaces.filter((place) => !aimed.has(place)),
        [],
      );
    }
  });
});
