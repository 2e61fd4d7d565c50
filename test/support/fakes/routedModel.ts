// A model with a script for each conversation, told apart by the first words in it: for runs whose agents ask at the same
// time, where one list of turns would depend on who is first.
import type { ModelRequest } from '../../../src/core/messages.ts';
import type { ModelPort } from '../../../src/runner/ports.ts';
import { createScriptedModel, type ModelTurn, type ScriptedModel } from './scriptedModel.ts';

export interface RoutedModel extends ModelPort {
  /** The script of the conversation that begins with this text. */
  of(firstWords: string): ScriptedModel;
}

/** @param scripts turns by the text of the first message; a conversation that is not named says "Done." */
export function createRoutedModel(scripts: Readonly<Record<string, readonly ModelTurn[]>>): RoutedModel {
  const models = new Map(Object.entries(scripts).map(([words, turns]) => [words, createScriptedModel(turns)]));
  const of = (words: string): ScriptedModel => {
    const known = models.get(words) ?? createScriptedModel();
    models.set(words, known);
    return known;
  };
  return { of, stream: (request, options) => of(firstWordsOf(request)).stream(request, options) };
}

function firstWordsOf({ messages }: ModelRequest): string {
  const first = messages[0]?.content[0];
  return first?.type === 'text' ? first.text : '';
}
