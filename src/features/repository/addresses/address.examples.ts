import type { Examples } from '../../../../test/kit/examples.ts'

export const examples: Examples = {
  'GET /resolve': async ({ projects }) => ({ body: { path: `/${projects.shut.full_path}` } }),
}
