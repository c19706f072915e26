import { type Examples, nothing } from '../../../../test/kit/examples.ts'

export const examples: Examples = {
  'GET /admin/backups': nothing,
  'POST /admin/backups': nothing,
}
