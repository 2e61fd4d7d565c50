// What a validation depends on besides the body: the models, the signing key, the limits. Plain data with defaults.
import type { ModelInfo } from '@anthropic-ai/sdk/resources/models';
import { defaultModels } from './models.ts';
import { defaultSigningKey } from './signatures.ts';

/** The answer that a refused request gets; `message` is worded as the API words it. */
export interface ValidationError {
  readonly status: 400 | 404 | 413;
  readonly type: 'invalid_request_error' | 'not_found_error' | 'request_too_large';
  readonly message: string;
}

export interface ValidationRules {
  readonly models: readonly ModelInfo[];
  /** The key of the signatures on thinking blocks. */
  readonly signingKey: string;
  /** Models whose id starts so take `role: "system"` inside `messages`. */
  readonly systemRoleModels: readonly string[];
  /** Models whose id starts so continue an assistant message at the end. */
  readonly prefillModels: readonly string[];
  /** Largest body, in bytes. */
  readonly maxBodyBytes: number;
  /** Largest picture, in bytes of its base64 text. */
  readonly maxImageBytes: number;
}

export const defaultRules: ValidationRules = {
  models: defaultModels,
  signingKey: defaultSigningKey,
  systemRoleModels: ['claude-opus-4-8', 'claude-opus-5'],
  prefillModels: ['claude-haiku-4-5'],
  maxBodyBytes: 32 * 1024 * 1024,
  maxImageBytes: 5 * 1024 * 1024,
};

/** A 400 with this message. */
export function invalid(message: string): ValidationError {
  return { status: 400, type: 'invalid_request_error', message };
}
