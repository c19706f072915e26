import { Type } from 'typebox'
import { anyone } from '../../../access/rule.ts'
import { endpoint } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { oneOf, optionalText, pageInput } from '../../../http/schema.ts'
import { groupLoader } from '../../../subjects/group.ts'
import {
  mayDownloadCode,
  mayReadSecurityFindings,
  projectLoader,
} from '../../../subjects/project.ts'
import { packageManagers } from '../lock-files/lock-file.ts'
import {
  DependencyJson,
  GroupDependencyJson,
  presentDependency,
  presentGroupDependency,
} from './dependency.present.ts'
import { listDependencies, listGroupDependencies } from './dependency.store.ts'
import { ensureDependencyList } from './ensure-dependency-list.ts'

const listInput = Type.Object({
  package_manager: Type.Optional(Type.Array(oneOf(packageManagers))),
  search: optionalText,
  order_by: Type.Optional(oneOf(['name', 'severity'], { default: 'name' })),
  ...pageInput,
})

export const dependencyEndpoints = [
  endpoint({
    route: 'GET /projects/:id/dependencies',
    summary: 'List the dependencies of a project',
    tag: 'Dependencies',
    tier: 'ultimate',
    signIn: 'always',
    on: projectLoader,
    allow: mayDownloadCode,
    input: listInput,
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
        // The order by severity would reveal vulnerabilities that the caller may not see.
        order_by: hasVulnerabilities ? input.order_by : 'name',
      })
      const items = rows.map((row) => presentDependency(row, { hasVulnerabilities }))
      return new Page({ items, total })
    },
  }),

  endpoint({
    route: 'GET /groups/:id/dependencies',
    summary: 'List the dependencies of a group and its subgroups',
    tag: 'Dependencies',
    tier: 'ultimate',
    signIn: 'always',
    on: groupLoader,
    allow: anyone,
    input: listInput,
    answer: Type.Array(GroupDependencyJson),
    async run({ db, actor, subject: group, range, input }) {
      const { rows, total } = await listGroupDependencies(
        db,
        { group_id: group.id, viewer: actor },
        {
          ...range,
          package_managers: input.package_manager ?? [],
          search: input.search,
          order_by: input.order_by,
        },
      )
      return new Page({ items: rows.map(presentGroupDependency), total })
    },
  }),
]
