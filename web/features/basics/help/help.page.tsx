import type { HelpPage } from '../../../api/operations.ts'
import { user } from '../../../api/session.ts'
import { apiReadUrl, useApi } from '../../../api/use-api.ts'
import { helpPagesText as words } from '../../../text/help.ts'
import { EmptyState, LoadingRows } from '../../../ui/blank/blank.tsx'
import { ButtonLink } from '../../../ui/button/button.tsx'
import { CopyLine } from '../../../ui/copy-line/copy-line.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { Page, Section } from '../../../ui/page/page.tsx'
import type { PageLocation, PageModule } from '../../../ui/page-module.ts'
import { RefusalNote } from '../../../ui/refusal/refusal.tsx'
import { SearchField } from '../../../ui/search-field/search-field.tsx'

/** The maximum number of search results. */
const results_max = 30

function inputOf({ url: { searchParams } }: PageLocation) {
  return { search: searchParams.get('search')?.slice(0, 200) || undefined }
}

export const page: PageModule = {
  calls: (at) => [apiReadUrl('GET /help/pages', inputOf(at))],
  View: Help,
}

function Help({ at }: { at: PageLocation }) {
  const { search } = inputOf(at)
  return (
    <Page title={words.title} lead={words.lead}>
      <SearchField label={words.search} />
      {search === undefined ? <FirstSteps /> : null}
      <Documentation search={search} />
    </Page>
  )
}

function Documentation({ search }: { search: string | undefined }) {
  const { data, refusal, again } = useApi('GET /help/pages', { search })
  if (refusal && !data) return <RefusalNote refusal={refusal} onAgain={again} />
  if (!data) return <LoadingRows />
  if (search === undefined) {
    return words.sections.map(([section, title]) => (
      <Section key={section} title={title}>
        <Pages label={title} pages={data.filter((one) => one.section === section)} />
      </Section>
    ))
  }
  if (data.length === 0) {
    return (
      <EmptyState title={words.noResults}>
        <p>{words.noResultsText}</p>
      </EmptyState>
    )
  }
  return (
    <Section
      title={words.results}
      {...(data.length >= results_max ? { lead: words.tooManyResults } : {})}
    >
      <Pages label={words.results} pages={data} />
    </Section>
  )
}

function Pages({ label, pages }: { label: string; pages: readonly HelpPage[] }) {
  return (
    <List label={label}>
      {pages.map(({ path, title, excerpt }) => (
        <ListRow key={path}>
          <a data-main href={`/help/${path}`}>
            {title}
          </a>
          {excerpt ? <p class="muted one-line">{excerpt}</p> : null}
        </ListRow>
      ))}
    </List>
  )
}

function FirstSteps() {
  return (
    <>
      <Section title={words.git} lead={words.gitText}>
        <CopyLine label={words.gitLine} text={`git clone ${location.origin}/group/project.git`} />
        {user.value ? (
          <div class="row">
            <ButtonLink href="/-/profile/personal_access_tokens">{words.tokens}</ButtonLink>
            <ButtonLink href="/-/profile/keys">{words.keys}</ButtonLink>
          </div>
        ) : null}
      </Section>
      <Section title={words.find} lead={words.findText}>
        <dl class="facts">
          {words.signs.map(([sign, meaning]) => (
            <div key={sign}>
              <dt>
                <kbd>{sign}</kbd>
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      </Section>
      <Section title={words.ci}>
        <p>{words.ciText}</p>
      </Section>
      <Section title={words.api} lead={words.apiText}>
        <CopyLine
          label={words.apiLine}
          text={`curl --header "PRIVATE-TOKEN: <token>" ${location.origin}/api/v4/user`}
        />
        <div>
          <ButtonLink href="/api/v4/docs">{words.apiDocument}</ButtonLink>
        </div>
      </Section>
    </>
  )
}
