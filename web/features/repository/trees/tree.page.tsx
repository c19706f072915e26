import { may, useProject } from '../../../api/project.ts'
import { need, useApi } from '../../../api/use-api.ts'
import { code } from '../../../text/code.ts'
import { Blank } from '../../../ui/blank/blank.tsx'
import { ButtonLink } from '../../../ui/button/button.tsx'
import { CodeBar } from '../../../ui/code-bar/code-bar.tsx'
import { CommitLine } from '../../../ui/commit-line/commit-line.tsx'
import { Page } from '../../../ui/page/page.tsx'
import type { AtPlace, PageModule, Place } from '../../../ui/page-module.ts'
import { Pager } from '../../../ui/pager/pager.tsx'
import { baseOf, codeUrl } from '../../../ui/place.ts'
import { Tree, treeInput } from '../../../ui/tree/tree.tsx'

const pageOf = ({ url }: AtPlace) => Number(url.searchParams.get('page') ?? 1)
const isThere = ({ entry_type }: Place) => entry_type === 'tree'

export const page: PageModule<AtPlace> = {
  calls: (at) => [
    isThere(at.place) && need('GET /projects/:id/repository/tree', treeInput(at.place, pageOf(at))),
  ],
  View: TreePage,
}

function TreePage({ at }: { at: AtPlace }) {
  const { place } = at
  const base = baseOf(place)
  const { data: project } = useProject(place.id)
  const { page: pages } = useApi(
    'GET /projects/:id/repository/tree',
    isThere(place) ? treeInput(place, pageOf(at)) : undefined,
  )
  const { data: commits } = useApi(
    'GET /projects/:id/repository/commits',
    isThere(place) && place.commit
      ? { id: place.id, ref_name: place.commit, path: place.path ?? '', per_page: 1 }
      : undefined,
  )
  const title = place.path || (place.ref ?? code.files)
  if (!place.ref) return <Missing title={code.noRef} base={base} />
  if (!isThere(place)) return <Missing title={code.noPath} base={base} />
  return (
    <Page title={title} tab={`${title} · ${place.ref}`} isTitleHidden>
      <CodeBar place={place}>
        {may(project, 'push_code') && place.ref_type === 'branch' ? (
          <ButtonLink href={codeUrl(base, 'new', place.ref, place.path ?? '')}>
            {code.newFile}
          </ButtonLink>
        ) : null}
        <ButtonLink href={codeUrl(base, 'commits', place.ref, place.path ?? '')}>
          {code.history}
        </ButtonLink>
        <ButtonLink href={codeUrl(base, 'find_file', place.ref)}>{code.findFile}</ButtonLink>
      </CodeBar>
      {commits?.[0] ? <CommitLine commit={commits[0]} base={base} /> : null}
      <Tree place={place} page={pageOf(at)} />
      <Pager page={pages} />
    </Page>
  )
}

function Missing({ title, base }: { title: string; base: string }) {
  return (
    <Page title={title}>
      <Blank title={title}>
        <ButtonLink href={base}>{code.files}</ButtonLink>
      </Blank>
    </Page>
  )
}
