import type { Family } from '../../family.ts'
import { projectTemplateEndpoints } from './project-template.routes.ts'
import { templateEndpoints } from './template.routes.ts'

export const templateFamily: Family = {
  endpoints: [...templateEndpoints, ...projectTemplateEndpoints],
}
