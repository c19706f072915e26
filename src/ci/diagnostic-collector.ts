// Collects the problems of a configuration with their locations.
import type { Diagnostic } from './planned.ts'
import type { SourceLocation } from './tree.ts'

const diagnostics_max = 100
const characters_max = 2000

export class DiagnosticCollector {
  readonly diagnostics: Diagnostic[] = []
  hasErrors = false

  error(text: string, at: SourceLocation | undefined): void {
    this.hasErrors = true
    this.#tell('error', text, at)
  }

  /** Adds an error that concerns one event only: the configuration itself may be valid. */
  errorOfEvent(text: string, at: SourceLocation | undefined): void {
    this.hasErrors = true
    this.#tell('error', text, at, { isOfEvent: true })
  }

  warn(text: string, at: SourceLocation | undefined): void {
    this.#tell('warning', text, at)
  }

  /** Adds a diagnostic. Their number and length are limited. */
  #tell(
    severity: Diagnostic['severity'],
    text: string,
    at?: SourceLocation,
    more?: { isOfEvent: true },
  ): void {
    if (this.diagnostics.length >= diagnostics_max) return
    this.diagnostics.push({ severity, text: text.slice(0, characters_max), ...at, ...more })
  }
}

/** A problem after which a configuration cannot be read any further. */
export class ConfigurationError extends Error {
  readonly at: SourceLocation | undefined

  constructor(text: string, at?: SourceLocation) {
    super(text)
    this.at = at
  }
}
