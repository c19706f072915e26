// The issues about a vulnerability: a new one is made with what the scanner said, or one that is there is linked.
import { useState } from 'preact/hooks'
import { invalidate } from '../../../api/cache.ts'
import { call } from '../../../api/call.ts'
import type { Vulnerability } from '../../../api/operations.ts'
import { useApi } from '../../../api/use-api.ts'
import { formatLocation } from '../../../surfaces/security/location.ts'
import { security, vulnerabilities as words } from '../../../text/security.ts'
import { ui } from '../../../text/ui.ts'
import { Button } from '../../../ui/button/button.tsx'
import { Chip } from '../../../ui/chip/chip.tsx'
import { TextField } from '../../../ui/field/field.tsx'
import { Form } from '../../../ui/form/form.tsx'
import { List, ListRow } from '../../../ui/list/list.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { pathnameOf } from '../../../ui/project-address.ts'
import { Status } from '../../../ui/status/status.tsx'
import { showToast } from '../../../ui/toast/toast.tsx'

type Props = { vulnerability: Vulnerability; mayWrite: boolean; mayCreate: boolean }

const route = 'GET /vulnerabilities/:id/issue_links'

export function LinkedIssues({ vulnerability, mayWrite, mayCreate }: Props) {
  const { id, project } = vulnerability
  const { data } = useApi(route, { id })
  const [isLinking, setLinking] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const after = () => invalidate(`/api/v4/vulnerabilities/${id}/issue_links`)
  const link = async (iid: number, link_type: 'related' | 'created') => {
    await call('POST /vulnerabilities/:id/issue_links', {
      id,
      target_project_id: String(project.id),
      target_issue_iid: iid,
      link_type,
    })
    after()
  }
  const create = async () => {
    setBusy(true)
    try {
      const { iid } = await call('POST /projects/:id/issues', {
        id: project.id,
        title: words.issueTitle(vulnerability.title).slice(0, title_max),
        description: describe(vulnerability),
        confidential: true,
      })
      await link(iid, 'created')
      showToast(words.issueCreated(iid))
    } finally {
      setBusy(false)
    }
  }
  const unlink = async (issue_link_id: number) => {
    await call('DELETE /vulnerabilities/:id/issue_links/:issue_link_id', { id, issue_link_id })
    after()
  }
  return (
    <Section
      title={words.issues}
      actions={
        mayWrite && !isLinking ? (
          <div class="row">
            {mayCreate ? (
              <Button isBusy={isBusy} onClick={() => void create()}>
                {words.createIssue}
              </Button>
            ) : null}
            <Button look="quiet" onClick={() => setLinking(true)}>
              {words.linkIssue}
            </Button>
          </div>
        ) : null
      }
    >
      {isLinking ? (
        <Form
          isInline
          action={words.linkIssue}
          label={words.linkIssue}
          onSubmit={async (values) => {
            await link(Number(values.text('iid')), 'related')
            setLinking(false)
          }}
          more={<Button onClick={() => setLinking(false)}>{ui.cancel}</Button>}
        >
          <TextField label={words.issueNumber} name="iid" type="number" min={1} required />
        </Form>
      ) : null}
      {data?.length === 0 ? <p class="muted">{words.noIssues}</p> : null}
      {data && data.length > 0 ? (
        <List label={words.issues}>
          {data.map((issue) => (
            <ListRow
              key={issue.id}
              aside={
                <>
                  {issue.vulnerability_link_type === 'created' ? (
                    <Chip>{words.createdFrom}</Chip>
                  ) : null}
                  {mayWrite ? (
                    <Button look="quiet" onClick={() => void unlink(issue.vulnerability_link_id)}>
                      {words.unlink}
                      <span class="only-spoken"> {issue.references.relative}</span>
                    </Button>
                  ) : null}
                </>
              }
            >
              <div class="row">
                <Status isQuiet status={issue.state} />
                <a data-main href={pathnameOf(issue.web_url)}>
                  {issue.title}
                </a>
                <span class="muted">{issue.references.relative}</span>
              </div>
            </ListRow>
          ))}
        </List>
      ) : null}
    </Section>
  )
}

const title_max = 255

/** As code, so that what the scanner wrote calls nobody and asks for nothing. */
function describe({ id, title, description, severity, finding }: Vulnerability): string {
  const { scanner, identifiers } = finding
  const place = formatLocation(finding.location)
  const names = identifiers.map(({ name }) => name).join(', ')
  const facts = [
    title,
    words.lines.severity(security.severities[severity] ?? severity),
    words.lines.scanner(scanner.name),
    ...(place === '' ? [] : [words.lines.location(place)]),
    ...(names === '' ? [] : [words.lines.identifiers(names)]),
    ...(description ? ['', description] : []),
  ].join('\n')
  const longest = Math.max(0, ...(facts.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(Math.max(3, longest + 1))
  return `${words.issueOf(id, location.origin + location.pathname)}\n\n${fence}text\n${facts}\n${fence}\n`
}
