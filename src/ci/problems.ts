// What is wrong with a configuration, told where it stands.
import type { Diagnostic } from './planned.ts'
import type { Place } from './tree.ts'

export class Problems {
  readonly diagnostics: Diagnostic[] = []

  error(text: string, at: Place | undefined): void {
    this.diagnostics.push({ severity: 'error', text, ...at })
  }

  warn(text: string, at: Place | undefined): void {
    this.diagnostics.push({ severity: 'warning', text, ...at })
  }

  get hasErrors(): boolean {
    return this.diagnostics.some(({ severity }) => severity === 'error')
  }
}

/** Ends the reading of a configuration: what is wrong leaves nothing to go on with. */
export class ConfigurationError extends Error {
  readonly at: Place | undefined

  constructor(text: string, at?: Place) {
    super(text)
    this.at = at
  }
}
