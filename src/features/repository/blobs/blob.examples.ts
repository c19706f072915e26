import { blob, type Examples } from '../../../../test/kit/examples.ts'

export const examples: Examples = {
  'GET /projects/:id/repository/blobs/:sha': blob,
  'GET /projects/:id/repository/blobs/:sha/raw': blob,
}
