import { user } from '../../../api/session.ts'
import { help as words } from '../../../text/help.ts'
import { ButtonLink } from '../../../ui/button/button.tsx'
import { CopyLine } from '../../../ui/copy-line/copy-line.tsx'
import { Page, Section } from '../../../ui/page/page.tsx'
import type { PageModule } from '../../../ui/page-module.ts'

export const page: PageModule = { View: Help }

function Help() {
  return (
    <Page title={words.title} lead={words.lead}>
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
    </Page>
  )
}
