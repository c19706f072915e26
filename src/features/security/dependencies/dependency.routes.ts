import { Type } from 'typebox'
import { endpoint } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { oneOf, optionalText, pageInput } from '../../../http/schema.ts'
import {
  mayDownloadCode,
  mayReadSecurityFindings,
  projectLoader,
} from '../../../subjects/project.ts'
import { packageManagers } from '../lock-files/lock-file.ts'
import { DependencyJson, presentDependency } from './dependency.present.ts'
import { listDependencies } from './dependency.store.ts'
import { ensureDependencyList } from './ensure-dependency-list.ts'

export const dependencyEndpoints = [
  endpoint({
    route: 'GET /projects/:id/dependencies',
    summary: 'List what a project depends on',
    tag: 'Dependencies',
    tier: 'ultimate',
    signIn: 'always',
    on: projectLoader,
    allow: mayDownloadCode,
    input: Type.Object({
      package_manager: Type.Optional(Type.Array(oneOf(packageManagers))),
      search: optionalText,
      order_by: Type.Optional(oneOf(['name', 'severity'], { default: 'name' })),
      ...pageInput,
    }),
    answer: Type.Array(DependencyJson),
    async run(context) {
      const { db, subject: project, range, input } = context
      const list_id = await ensureDependencyList(context, project)
      if (list_id === undefined) return new Page({ items: [], total: 0 })
      const hasVulnerabilities = mayReadSecurityFindings(context)
      const { rows, total } = await listDependencies(db, list_id, {
        ...range,
        package_managers: input.package_manager ?? [],
        search: input.search,
        // The order would tell what the records leave out.
        order_by: hasVulnerabilities ? input.order_by : 'name',
      })
      const items = rows.map((row) => presentDependency(row, { hasVulnerabilities }))
      return new Page({ items, total })
    },
  }),
]
