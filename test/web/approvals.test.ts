// Merge requests that wait for approvals: who has to approve, what is missing, and the approval itself.
import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import { type Server, startServer } from '../kit/server.ts'
import { visit as openVisit, stories, type Visit } from './browser.ts'

let server: Promise<Server> | undefined
const open = () => {
  server ??= startServer()
  return server
}

/** A project whose `topic` branch is proposed for merging into `main`, and a Developer of it. */
async function newProject(name: string, developer: string) {
  const { ask } = await open()
  const { id, path_with_namespace } = await ask<{ id: number; path_with_namespace: string }>(
    'POST /projects',
    { name, initialize_with_readme: true },
  )
  const own = <T>(route: string, body?: object) => {
    const [method, path = ''] = route.split(' ')
    return ask<T>(`${method} /projects/${id}${path}`, body)
  }
  await own('POST /repository/commits', {
    branch: 'topic',
    start_branch: 'main',
    commit_message: 'Change',
    actions: [{ action: 'create', file_path: 'a.txt', content: 'a\n' }],
  })
  const addMember = async (of: string, access_level: number) => {
    const login = of.toLowerCase().replaceAll(' ', '-')
    const password = `a long pass phrase of ${login}`
    const user = await ask<{ id: number }>('POST /users', {
      ...{ name: of, username: login, password },
      email: `${login}@example.com`,
    })
    await own('POST /members', { user_id: user.id, access_level })
    return { id: user.id, login, password }
  }
  await own('POST /merge_requests', {
    title: 'Louder',
    source_branch: 'topic',
    target_branch: 'main',
  })
  return {
    ask: own,
    base: `/${path_with_namespace}`,
    developer: await addMember(developer, 30),
    addMember,
  }
}

/** The page has nothing wrong in both themes. */
async function check(visit: Visit): Promise<void> {
  await visit.settle()
  await visit.checkWidth()
  for (const colorScheme of ['dark', 'light'] as const) {
    await visit.page.emulateMedia({ colorScheme })
    await visit.checkAccess()
  }
}

/** Chooses somebody by name from the list that the button opens. */
async function chooseUser({ page, press, write }: Visit, within: Locator, name: string) {
  await press(within.getByRole('button', { name: 'Select: Users' }))
  await write(page.getByRole('combobox', { name: 'Filter users' }), name)
  const options = page.getByRole('listbox', { name: 'Users' }).getByRole('option')
  await options.filter({ hasText: name }).waitFor()
  await expect.poll(() => options.count()).toBe(1)
  await press(options)
  await press(page.getByRole('button', { name: 'Done' }))
  await within.locator('.chip', { hasText: name }).waitFor()
}

stories(
  'approvals',
  (story) => {
    story('a rule names who has to approve, and one of them does', async (visit) => {
      const { page, width, press, write } = visit
      const project = await newProject(`Approvals ${width}`, `Ada ${width}`)
      await visit.signIn(await project.addMember(`Max ${width}`, 40))
      await visit.open(`${project.base}/-/settings/general#merge-request-approvals`)
      await page.getByText('No approval rules yet').waitFor()
      await check(visit)

      const dialog = page.getByRole('dialog', { name: 'Add approval rule' })
      await press(page.getByRole('button', { name: 'Add approval rule' }))
      await write(dialog.getByLabel('Rule name'), 'Security')
      const add = dialog.getByRole('button', { name: /^Add approval rule/ })
      expect(await add.getAttribute('aria-disabled')).toBe('true')
      await add.getByText('Select a user or group first').waitFor({ state: 'attached' })
      await dialog.getByLabel('Target branch').selectOption('All protected branches')
      await check(visit)
      await chooseUser(visit, dialog, `Ada ${width}`)
      await check(visit)
      await press(add)
      const rules = page.getByRole('list', { name: 'Approval rules' })
      await rules.getByText('1 approval required').waitFor()
      await rules.getByText('Target branch: All protected branches').waitFor()

      await press(rules.getByRole('button', { name: 'Edit Security' }))
      const edit = page.getByRole('dialog', { name: 'Edit approval rule Security' })
      await edit.getByLabel('Target branch').selectOption('Selected protected branches')
      await press(edit.getByRole('button', { name: 'Select: Protected branches' }))
      await press(page.getByRole('option', { name: 'main' }))
      await press(page.getByRole('button', { name: 'Done' }))
      await edit.locator('.chip', { hasText: 'main' }).waitFor()
      await press(edit.getByRole('button', { name: 'Save changes' }))
      await rules.getByText('Target branch: main').waitFor()

      await write(page.getByLabel('Approvals required from eligible users'), '1')
      await press(page.getByLabel('Prevent approval by merge request creator'))
      const afterPush = page.getByRole('group', { name: 'When a commit is added' })
      expect(await afterPush.getByLabel('Remove all approvals').isChecked()).toBe(true)
      await press(afterPush.getByLabel('Remove approvals by code owners if their files changed'))
      await press(page.getByRole('button', { name: 'Save approval settings' }))
      await page.getByText('Approval settings saved').waitFor()
      expect(await project.ask('GET /approvals')).toMatchObject({
        approvals_before_merge: 1,
        reset_approvals_on_push: false,
        selective_code_owner_removals: true,
        merge_requests_author_approval: true,
      })
      expect(await project.ask('GET /approval_rules')).toMatchObject([
        {
          ...{ name: 'Security', approvals_required: 1 },
          users: [{ id: project.developer.id }],
          protected_branches: [{ name: 'main' }],
          applies_to_all_protected_branches: false,
        },
      ])
      await check(visit)

      await visit.open(`${project.base}/-/merge_requests/1`)
      const bar = page.locator('.state-bar')
      await bar
        .getByText('Needs 2 more approvals: All eligible users, Security', { exact: true })
        .waitFor()
      const details = page.getByRole('region', { name: 'Approval rules' })
      await details.getByText('0 of 1 approval').first().waitFor()
      await details.getByText(`Can approve: Ada ${width}`).waitFor()
      expect(await page.getByRole('button', { name: 'Merge', exact: true }).count()).toBe(0)
      await check(visit)

      await approveAs(project.developer, `${project.base}/-/merge_requests/1`, width)
      // Whoever waits for it sees it by itself.
      await bar.getByText('Ready to merge').waitFor()
      await expect.poll(() => details.getByText('1 of 1 approval').count()).toBe(2)
      expect(await details.getByText('Can approve').count()).toBe(0)
      await page.getByRole('region', { name: 'Approved by' }).getByText(`Ada ${width}`).waitFor()
      await check(visit)
      await press(page.getByRole('button', { name: 'Merge', exact: true }))
      await bar.getByText('Merged into main').waitFor()

      await visit.open(`${project.base}/-/settings/general`)
      await press(rules.getByRole('button', { name: 'Delete Security' }))
      await press(page.getByRole('dialog').getByRole('button', { name: 'Delete approval rule' }))
      await page.getByText('No approval rules yet').waitFor()
      expect(await project.ask('GET /approval_rules')).toEqual([])
    })

    story('an approval asks for the password where the project says so', async (visit) => {
      const { page, width, press, write } = visit
      const project = await newProject(`Passwords ${width}`, `Bea ${width}`)
      const { login, password } = project.developer
      await project.ask('POST /approvals', {
        approvals_before_merge: 1,
        require_password_to_approve: true,
      })
      const approvals = () =>
        project.ask<{ approved_by: object[] }>('GET /merge_requests/1/approvals')
      await visit.signIn({ login, password })
      await visit.open(`${project.base}/-/merge_requests/1`)
      await page.getByText('Needs 1 more approval: All eligible users', { exact: true }).waitFor()
      const attempts: string[] = []
      page.on('request', (request) => {
        if (request.url().endsWith('/approve')) attempts.push(request.method())
      })
      const approve = page.getByRole('button', { name: 'Approve', exact: true })
      await press(approve)
      const dialog = page.getByRole('dialog', { name: 'Approve merge request' })
      await write(dialog.getByLabel('Your password'), 'not the password')
      await check(visit)
      await press(dialog.getByRole('button', { name: 'Approve' }))
      await dialog.getByRole('alert').getByText('The password is wrong').waitFor()
      await check(visit)
      expect(await approvals()).toMatchObject({ approved_by: [] })
      // Each one counts towards the lock of the account.
      expect(attempts).toEqual(['POST'])
      await write(dialog.getByLabel('Your password'), password)
      await press(dialog.getByRole('button', { name: 'Approve' }))
      await page.getByRole('button', { name: 'Revoke approval' }).waitFor()
      await expect.poll(async () => (await approvals()).approved_by.length).toBe(1)

      await press(page.getByRole('button', { name: 'Revoke approval' }))
      await approve.waitFor()
      await press(page.getByRole('button', { name: 'Finish review' }))
      const review = page.getByRole('dialog', { name: 'Finish your review' })
      await write(review.getByLabel('Summary (optional)'), 'Well done.')
      expect(await review.getByLabel('Your password').count()).toBe(0)
      await press(review.getByRole('radio', { name: /^Approve/ }))
      await write(review.getByLabel('Your password'), 'not the password')
      await check(visit)
      await press(review.getByRole('button', { name: 'Submit review' }))
      await review.getByRole('alert').getByText('The password is wrong').waitFor()
      await write(review.getByLabel('Your password'), password)
      await press(review.getByRole('button', { name: 'Submit review' }))
      await page.getByRole('button', { name: 'Revoke approval' }).waitFor()
      await page.getByText('Review submitted').waitFor()

      // Whoever has approved finishes another review without doing so twice.
      await press(page.getByRole('button', { name: 'Finish review' }))
      await press(review.getByRole('radio', { name: /^Approve/ }))
      await visit.settle()
      expect(await review.getByLabel('Your password').count()).toBe(0)
      await press(review.getByRole('button', { name: 'Submit review' }))
      await review.waitFor({ state: 'hidden' })
      expect(await approvals()).toMatchObject({ approved_by: [{}] })
      const notes = await project.ask<{ body: string; system: boolean }[]>(
        'GET /merge_requests/1/notes',
      )
      expect(notes.filter(({ body }) => body === 'Well done.')).toHaveLength(1)
    })

    story('an approval that the project prevents is refused in words', async (visit) => {
      const { page, width, press } = visit
      const project = await newProject(`Own commits ${width}`, `Dora ${width}`)
      await visit.signIn()
      await visit.open(`${project.base}/-/merge_requests/1`)
      const approve = page.getByRole('button', { name: 'Approve', exact: true })
      await approve.waitFor()
      // The project forbids it while the page is open.
      await project.ask('POST /approvals', { merge_requests_disable_committers_approval: true })
      await press(approve)
      await page.getByRole('alert').getByText("You can't approve this merge request").waitFor()
      await check(visit)
      expect(await project.ask('GET /merge_requests/1/approvals')).toMatchObject({
        approved_by: [],
      })
      await visit.open(`${project.base}/-/merge_requests/1`)
      await page.getByRole('button', { name: 'Merge', exact: true }).waitFor()
      await visit.settle()
      expect(await approve.count()).toBe(0)
    })

    story('code owners of changed files approve, where the branch requires that', async (visit) => {
      const { page, width, press, write } = visit
      const project = await newProject(`Owned ${width}`, `Olga ${width}`)
      const { login } = project.developer
      const content = `*.md @root\n[Text]\n*.txt @${login}\n`
      await project.ask('POST /repository/files/CODEOWNERS', {
        ...{ branch: 'main', commit_message: 'Name owners', content },
      })
      await visit.signIn()
      await visit.open(`${project.base}/-/settings/repository`)
      await press(page.getByRole('button', { name: 'Edit branch main' }))
      const protection = page.getByRole('dialog', { name: 'Edit protection of main' })
      await press(protection.getByLabel('Require approval from code owners'))
      await check(visit)
      await press(protection.getByRole('button', { name: 'Save changes' }))
      await page.getByText('Approval from code owners is required.').waitFor()
      await visit.open(`${project.base}/-/blob/main/README.md`)
      const owners = page.getByText('Code owners:')
      await owners.locator('a[href="/root"]').waitFor()
      await check(visit)
      await visit.open(`${project.base}/-/blob/main/CODEOWNERS`)
      await visit.settle()
      expect(await owners.count()).toBe(0)

      await visit.open(`${project.base}/-/merge_requests/1`)
      await page.getByText('Needs 1 more approval: *.txt', { exact: true }).waitFor()
      const details = page.getByRole('region', { name: 'Approval rules' })
      const rule = details.getByRole('listitem').filter({ hasText: '*.txt' })
      await rule.getByText('Code owners: Text').waitFor()
      await rule.getByText(`Can approve: Olga ${width}`).waitFor()
      expect(await details.getByRole('listitem').count()).toBe(1)
      await check(visit)
      // The dialog offers what can be changed there, which a rule of CODEOWNERS cannot.
      await press(details.getByRole('button', { name: 'Edit approval rules' }))
      const dialog = page.getByRole('dialog', { name: 'Edit approval rules' })
      await write(dialog.getByLabel('Approvals required: All eligible users'), '1')
      expect(await dialog.getByLabel(/^Approvals required/).count()).toBe(1)
      await press(dialog.getByRole('button', { name: 'Save changes' }))
      await details.getByText('All eligible users').waitFor()
      await approveAs(project.developer, `${project.base}/-/merge_requests/1`, width)
      await page.getByText('Ready to merge').waitFor()
    })

    story('a merge request without rules is given one', async (visit) => {
      const { page, width, press, write } = visit
      const project = await newProject(`Unruled ${width}`, `Uma ${width}`)
      await visit.signIn()
      await visit.open(`${project.base}/-/merge_requests/1`)
      const details = page.getByRole('region', { name: 'Approval rules' })
      await details.getByText('No approval rules yet').waitFor()
      await check(visit)
      await press(details.getByRole('button', { name: 'Edit approval rules' }))
      const dialog = page.getByRole('dialog', { name: 'Edit approval rules' })
      await write(dialog.getByLabel('Approvals required: All eligible users'), '1')
      await press(dialog.getByRole('button', { name: 'Save changes' }))
      await details.getByText('0 of 1 approval').waitFor()
      await page.getByText('Needs 1 more approval: All eligible users', { exact: true }).waitFor()
    })

    story(
      'a merge request has rules of its own, unless the project forbids that',
      async (visit) => {
        const { page, width, press, write } = visit
        const project = await newProject(`Own rules ${width}`, `Cleo ${width}`)
        await project.ask('POST /approval_rules', {
          ...{ name: 'Security', approvals_required: 1 },
          user_ids: [project.developer.id],
        })
        await visit.signIn()
        await visit.open(`${project.base}/-/merge_requests/1`)
        const details = page.getByRole('region', { name: 'Approval rules' })
        await press(details.getByRole('button', { name: 'Edit approval rules' }))
        const dialog = page.getByRole('dialog', { name: 'Edit approval rules' })
        const security = dialog.getByLabel('Approvals required: Security')
        expect(await security.getAttribute('min')).toBe('1')
        await dialog.getByText('The project requires at least 1 approval.').waitFor()
        await write(security, '2')
        await check(visit)
        await press(dialog.getByRole('button', { name: 'Save changes' }))
        await details.getByText('0 of 2 approvals').waitFor()

        await press(details.getByRole('button', { name: 'Edit approval rules' }))
        const everybody = dialog.getByLabel('Approvals required: All eligible users')
        await write(everybody, '1')
        await press(dialog.getByRole('button', { name: 'Add approval rule' }))
        await write(dialog.getByLabel('Rule name'), 'Design')
        await chooseUser(visit, dialog, `Cleo ${width}`)
        await check(visit)
        await press(dialog.getByRole('button', { name: /^Add approval rule/ }))
        await dialog.getByLabel('Approvals required: Design').waitFor()
        await press(dialog.getByRole('button', { name: 'Delete Security' }))
        await expect.poll(() => security.count()).toBe(0)
        const save = dialog.getByRole('button', { name: 'Save changes' })
        expect(await save.evaluate((one) => one === document.activeElement)).toBe(true)
        // What was written before the rule was added is still there.
        expect(await everybody.inputValue()).toBe('1')
        await press(dialog.getByRole('button', { name: 'Save changes' }))
        await details.getByRole('listitem').filter({ hasText: 'Design' }).waitFor()
        await expect.poll(() => details.getByText('Security').count()).toBe(0)
        await page
          .getByText('Needs 2 more approvals: All eligible users, Design', { exact: true })
          .waitFor()
        expect(await project.ask('GET /approval_rules')).toMatchObject([
          { name: 'Security', approvals_required: 1 },
        ])

        // The project forbids it while the dialog is open.
        await press(details.getByRole('button', { name: 'Edit approval rules' }))
        await project.ask('POST /approvals', {
          disable_overriding_approvers_per_merge_request: true,
        })
        await write(dialog.getByLabel('Approvals required: Design'), '3')
        await press(dialog.getByRole('button', { name: 'Save changes' }))
        await dialog.getByRole('alert').getByText('Overriding approvals is disabled').waitFor()
        await check(visit)
        await visit.open(`${project.base}/-/merge_requests/1`)
        await details.getByRole('listitem').filter({ hasText: 'Design' }).waitFor()
        await visit.settle()
        expect(await details.getByRole('button').count()).toBe(0)
      },
    )
  },
  open,
)

async function approveAs(who: { login: string; password: string }, path: string, width: number) {
  const other = await openVisit(await open(), { width })
  try {
    await other.signIn(who)
    await other.open(path)
    await other.press(other.page.getByRole('button', { name: 'Approve', exact: true }))
    await other.page.getByRole('button', { name: 'Revoke approval' }).waitFor()
    expect(other.problems).toEqual([])
  } finally {
    await other.close()
  }
}
