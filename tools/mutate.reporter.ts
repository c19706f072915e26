// Prints each change that no test noticed as soon as it is found, so that a run that is stopped has told what it knows.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

type Position = { line: number; column: number }
type Mutant = {
  fileName: string
  location: { start: Position; end: Position }
  mutatorName: string
  replacement: string
  status: string
}

/** Lines and columns count from 1. */
function originalOf({ fileName, location: { start, end } }: Mutant): string {
  const lines = readFileSync(fileName, 'utf8')
    .split('\n')
    .slice(start.line - 1, end.line)
  const text = lines.join('\n')
  const cutAtEnd = (lines.at(-1)?.length ?? 0) - (end.column - 1)
  return onOneLine(text.slice(start.column - 1, text.length - cutAtEnd))
}

const onOneLine = (text: string) => text.replace(/\s+/g, ' ').slice(0, 120)

class EachReporter {
  tested = 0
  planned = 0

  onMutationTestingPlanReady({ mutantPlans }: { mutantPlans: { plan: string }[] }): void {
    this.planned = mutantPlans.filter(({ plan }) => plan === 'Run').length
    console.log(`${this.planned} mutants to test`)
  }

  onMutantTested(mutant: Mutant): void {
    if (['Ignored', 'CompileError', 'RuntimeError'].includes(mutant.status)) return
    this.tested += 1
    if (this.tested % 20 === 0) console.log(`${this.tested} of ${this.planned} mutants tested`)
    if (mutant.status === 'Killed' || mutant.status === 'Timeout') return
    const where = `${relative('.', mutant.fileName)}:${mutant.location.start.line}`
    const what = `${originalOf(mutant)} -> ${onOneLine(mutant.replacement)}`
    const how = mutant.status === 'NoCoverage' ? 'run by no test' : 'survived'
    console.log(`${how}: ${where} ${mutant.mutatorName}: ${what}`)
  }
}

export const strykerPlugins = [
  { kind: 'Reporter', name: 'each', injectableClass: EachReporter },
] as const
