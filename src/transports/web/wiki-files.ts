// Files of wikis at the addresses by which wiki pages refer to them.
import type { Actor } from '../../access/actor.ts'
import { createWikiFileAnswer } from '../../features/content/wikis/wiki-file.ts'
import type { Answer } from '../../http/answer.ts'
import type { Instance, RequestFacts } from '../../http/endpoint.ts'
import { unknownRoute } from '../../kernel/errors.ts'
import { findGroup } from '../../subjects/group.ts'
import { groupAsOwner, projectAsOwner } from '../../subjects/owner.ts'
import { findVisibleProject } from '../../subjects/project.ts'
import type { WebPage } from './find-page.ts'

type Asked = { page: Extract<WebPage, { kind: 'wiki-file' }>; actor: Actor; request: RequestFacts }

/** Serves a file of a wiki to callers who may read the wiki; for all others it does not exist. */
export async function answerWikiFilePage(
  uses: Pick<Instance, 'db' | 'git' | 'config'>,
  { page: { owner: path, isGroup, secret, file_name }, actor, request }: Asked,
): Promise<Answer> {
  const found = await findOwnerAt(uses, { path, isGroup, actor })
  const asked = found && { ...found, actor, secret, file_name, request }
  const answer = asked && (await createWikiFileAnswer(uses, asked))
  if (!answer) throw unknownRoute()
  return answer
}

async function findOwnerAt(
  { db }: Pick<Instance, 'db'>,
  { path, isGroup, actor }: { path: string; isGroup: boolean; actor: Actor },
) {
  if (isGroup) {
    const group = await findGroup(db, actor, { path })
    return group && { owner: groupAsOwner(group.group), level: group.level }
  }
  const project = await findVisibleProject(db, actor, { path })
  return project && { owner: projectAsOwner(project.project), level: project.level }
}
