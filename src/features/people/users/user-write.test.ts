import { beforeAll, describe, expect, it } from 'vitest'
import { multipart, png } from '../../../../test/kit/form.ts'
import { newWorld, type World } from '../../../../test/kit/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})

let made = 0
const fields = () => {
  const username = `written-${world.users.owner.id}-${++made}`
  return { username, name: 'New One', email: `${username}@x.test`, password: 'long enough' }
}
const everything = {
  skype: 'my.skype',
  linkedin: 'my-linkedin',
  twitter: '@me',
  website_url: 'https://me.test',
  organization: 'Org',
  job_title: 'Smith',
  pronouns: 'they/them',
  projects_limit: 7,
  bio: 'About me',
  location: 'Here',
  can_create_group: false,
  theme_id: 11,
  color_scheme_id: 6,
  private_profile: true,
  note: 'Watch',
  shared_runners_minutes_limit: 100,
  extra_shared_runners_minutes_limit: 0,
}
const identity = () => ({ provider: 'ldapmain', extern_uid: `uid-${++made}` })

describe('POST /users', () => {
  it('takes every field and answers the whole administrator view', async () => {
    const given = fields()
    const { provider, extern_uid } = identity()
    const answer = await world.as('admin').post('/users', {
      ...given,
      ...everything,
      admin: true,
      external: false,
      skip_confirmation: true,
      view_diffs_file_by_file: true,
      provider,
      extern_uid,
    })
    expect(answer.statusCode).toBe(201)
    const { id } = answer.json()
    const expected = {
      id,
      username: given.username,
      name: given.name,
      state: 'active',
      avatar_url: null,
      web_url: `http://bloomery.test/${given.username}`,
      created_at: '2026-03-01T12:00:00.000Z',
      public_email: '',
      bot: false,
      work_information: 'Smith at Org',
      followers: 0,
      following: 0,
      last_sign_in_at: null,
      confirmed_at: '2026-03-01T12:00:00.000Z',
      last_activity_on: null,
      email: given.email,
      current_sign_in_at: null,
      identities: [{ provider, extern_uid }],
      can_create_project: true,
      two_factor_enabled: false,
      external: false,
      commit_email: given.email,
      is_admin: true,
      current_sign_in_ip: null,
      last_sign_in_ip: null,
      sign_in_count: 0,
      highest_role: 0,
      plan: null,
      trial: false,
      is_auditor: false,
      using_license_seat: false,
      provisioned_by_group_id: null,
      ...everything,
    }
    expect(answer.json()).toEqual(expected)
    expect((await world.as('admin').get(`/users/${id}`)).json()).toEqual(expected)
    const row = await world.app.db
      .selectFrom('users')
      .select(['view_diffs_file_by_file', 'password_digest'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row.view_diffs_file_by_file).toBe(true)
    expect(row.password_digest).toMatch(/^scrypt\$/)
  })

  it.each([
    [{ reset_password: true }],
    [{ force_random_password: true }],
    [{ reset_password: true, force_random_password: true, password: 'x' }],
  ])('makes up a password with %j, whatever is given beside it', async (choice) => {
    const { password: _, ...given } = fields()
    const answer = await world.as('admin').post('/users', { ...given, ...choice })
    expect(answer.statusCode).toBe(201)
  })

  it('takes null for what can be empty, and a form as well as JSON', async () => {
    const nulls = { private_profile: null, bio: null, location: null, note: null, skype: null }
    const made = await world.as('admin').post('/users', { ...fields(), ...nulls })
    expect(made.json()).toMatchObject({
      private_profile: false,
      bio: '',
      location: null,
      note: null,
      skype: '',
    })
    const form = new URLSearchParams({ ...fields(), admin: '1', projects_limit: '3' }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await world.as('admin').post('/users', Buffer.from(form), { headers })
    expect(answer.json()).toMatchObject({ is_admin: true, projects_limit: 3 })
  })

  it.each([
    [{ extern_uid: 'x' }, { error: 'extern_uid, provider provide all or none of parameters' }],
    [{ provider: 'x' }, { error: 'extern_uid, provider provide all or none of parameters' }],
    [{ avatar: 'text' }, { error: 'avatar is invalid' }],
    [{ avatar: { content: 'text' } }, { error: 'avatar is invalid' }],
    [{ admin: 'perhaps' }, { error: 'admin is invalid' }],
    [{ theme_id: 12 }, { message: { theme_id: ['12 is not a valid theme'] } }],
    [{ color_scheme_id: 0 }, { message: { color_scheme_id: ['0 is not a valid color scheme'] } }],
    [
      { skype: 's'.repeat(501) },
      { message: { skype: ['is too long (maximum is 500 characters)'] } },
    ],
    [
      { website_url: 'javascript:alert(1)' },
      { message: { website_url: ['is blocked: Only allowed schemes are http, https'] } },
    ],
    [
      { shared_runners_minutes_limit: -1 },
      { message: { shared_runners_minutes_limit: ['must be greater than or equal to 0'] } },
    ],
    [
      { email: ' ', name: 'n'.repeat(256) },
      {
        message: {
          email: ["can't be blank"],
          name: ['is too long (maximum is 255 characters)'],
        },
      },
    ],
    [
      { email: 'x', name: '', username: '-', password: 'short', bio: 'b'.repeat(256) },
      {
        message: {
          email: ['is invalid'],
          username: [
            "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-' or end in '.', '.git' or '.atom'.",
          ],
          name: ["can't be blank"],
          bio: ['is too long (maximum is 255 characters)'],
          password: ['is too short (minimum is 8 characters)'],
        },
      },
    ],
  ])('answers %j with 400 and makes nobody', async (changes, expected) => {
    const given = fields()
    const answer = await world.as('admin').post('/users', { ...given, ...changes })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual(expected)
    expect((await world.as('admin').get(`/users?username=${given.username}`)).json()).toEqual([])
  })

  it('refuses an identity that is somebody else’s', async () => {
    const taken = identity()
    await world.as('admin').post('/users', { ...fields(), ...taken })
    const given = fields()
    const answer = await world.as('admin').post('/users', { ...given, ...taken })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({
      message: { 'identities.extern_uid': ['has already been taken'] },
    })
    expect((await world.as('admin').get(`/users?username=${given.username}`)).json()).toEqual([])
  })

  it('notes the group an account is provisioned by', async () => {
    const group_id_for_saml = world.groups.inside.id
    const saml = { provider: 'group_saml', extern_uid: `saml-${++made}`, group_id_for_saml }
    const answer = await world.as('admin').post('/users', { ...fields(), ...saml })
    expect(answer.json()).toMatchObject({
      provisioned_by_group_id: group_id_for_saml,
      identities: [
        {
          provider: saml.provider,
          extern_uid: saml.extern_uid,
          saml_provider_id: group_id_for_saml,
        },
      ],
    })
    const removed = await world.newMemberedGroup()
    expect((await world.as('admin').delete(`/groups/${removed.id}`)).statusCode).toBe(202)
    const late = { ...saml, extern_uid: `saml-${++made}`, group_id_for_saml: removed.id }
    const other = await world.as('admin').post('/users', { ...fields(), ...late })
    expect(other.json().identities).toMatchObject([{ saml_provider_id: null }])
  })
})

describe('a taken address or name', () => {
  it('is told before whatever else is wrong with a new user', async () => {
    const { owner } = world.users
    const wrong = { name: '', username: '-', email: 'x', password: 'short' }
    const second = `second-${owner.email}`
    await world.as('admin').post(`/users/${owner.id}/emails`, { email: second })
    for (const [given, what] of [
      [{ email: owner.email.toUpperCase() }, 'Email'],
      [{ email: second, username: owner.username }, 'Email'],
      [{ username: owner.username.toUpperCase() }, 'Username'],
    ] as const) {
      const answer = await world.as('admin').post('/users', { ...wrong, ...given })
      expect([answer.statusCode, answer.json()]).toEqual([
        409,
        { message: `${what} has already been taken` },
      ])
    }
  })

  it('is told before whatever else is wrong with changes', async () => {
    const { user } = await world.newUser()
    const { owner } = world.users
    for (const [given, what] of [
      [{ email: owner.email, username: owner.username }, 'Email'],
      [{ username: owner.username.toUpperCase() }, 'Username'],
    ] as const) {
      const body = { name: '', password: 'short', ...given }
      const answer = await world.as('admin').put(`/users/${user.id}`, body)
      expect([answer.statusCode, answer.json()]).toEqual([
        404,
        { message: `${what} has already been taken` },
      ])
    }
    const both = await world.as('admin').put(`/users/${user.id}`, { name: '', password: '' })
    expect(both.json()).toEqual({
      message: { name: ["can't be blank"], password: ["can't be blank"] },
    })
  })
})

describe('PUT /users/:id', () => {
  it.each([
    ['anonymous', 401, { message: '401 Unauthorized' }],
    ['owner', 403, { message: '403 Forbidden' }],
  ] as const)('answers %s with %i', async (who, status, body) => {
    const answer = await world.as(who).put(`/users/${world.users.owner.id}`, { admin: true })
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toEqual(body)
  })

  it('answers an unknown id with 404, bad parameters first', async () => {
    const unknown = await world.as('admin').put('/users/999999', { bio: 'b' })
    expect(unknown.statusCode).toBe(404)
    expect(unknown.json()).toEqual({ message: '404 User Not Found' })
    const bad = await world.as('admin').put('/users/999999', { admin: 'x' })
    expect(bad.statusCode).toBe(400)
    const route = await world.as('admin').put('/users/x', { bio: 'b' })
    expect(route.json()).toEqual({ error: '404 Not Found' })
  })

  it('changes every field, and nothing without one', async () => {
    const { user } = await world.newUser()
    const before = (await world.as('admin').get(`/users/${user.id}`)).json()
    const nothing = await world.as('admin').put(`/users/${user.id}`)
    expect(nothing.statusCode).toBe(200)
    expect(nothing.json()).toEqual(before)
    const given = identity()
    const answer = await world.as('admin').put(`/users/${user.id}`, {
      ...everything,
      ...given,
      name: 'Another',
      admin: true,
      public_email: user.email.toUpperCase(),
    })
    expect(answer.json()).toEqual({
      ...before,
      ...everything,
      work_information: 'Smith at Org',
      name: 'Another',
      is_admin: true,
      public_email: user.email.toUpperCase(),
      identities: [given],
    })
    const back = { private_profile: null, bio: null, location: null, public_email: '' }
    const cleared = await world.as('admin').put(`/users/${user.id}`, { ...back, admin: false })
    expect(cleared.json()).toMatchObject({
      private_profile: false,
      bio: '',
      location: null,
      public_email: '',
      is_admin: false,
    })
  })

  it('replaces the identity of a provider and adds those of others', async () => {
    const { user } = await world.newUser()
    const put = (body: object) => world.as('admin').put(`/users/${user.id}`, body)
    const [first, second] = [identity(), identity()]
    const other = { ...identity(), provider: 'github' }
    await put(first)
    await put(other)
    expect((await put(second)).json().identities).toEqual([second, other])
    const { user: rival } = await world.newUser()
    const refused = await world.as('admin').put(`/users/${rival.id}`, { ...second, bio: 'x' })
    expect(refused.statusCode).toBe(400)
    expect((await world.as('admin').get(`/users/${rival.id}`)).json().bio).toBe('')
  })

  it('answers a taken address or name with 404 and the words of a conflict', async () => {
    const { user } = await world.newUser()
    const { owner } = world.users
    for (const skip_reconfirmation of [true, false]) {
      const email = owner.email.toUpperCase()
      const answer = await world
        .as('admin')
        .put(`/users/${user.id}`, { email, username: owner.username, skip_reconfirmation })
      expect(answer.statusCode).toBe(404)
      expect(answer.json()).toEqual({ message: 'Email has already been taken' })
    }
    const username = owner.username.toUpperCase()
    const byName = await world.as('admin').put(`/users/${user.id}`, { username })
    expect(byName.statusCode).toBe(404)
    expect(byName.json()).toEqual({ message: 'Username has already been taken' })
    const byGroup = await world
      .as('admin')
      .put(`/users/${user.id}`, { username: world.groups.open.path })
    expect(byGroup.statusCode).toBe(400)
    expect(byGroup.json()).toEqual({ message: { username: ['has already been taken'] } })
    const own = await world
      .as('admin')
      .put(`/users/${user.id}`, { email: user.email, username: user.username })
    expect(own.statusCode).toBe(200)
  })

  it('keeps the address until a new one is confirmed, or the administrator says it is', async () => {
    const { user } = await world.newUser()
    const email = `new-${user.email}`
    const waiting = await world.as('admin').put(`/users/${user.id}`, { email })
    expect(waiting.json()).toMatchObject({ email: user.email, commit_email: user.email })
    const sure = await world
      .as('admin')
      .put(`/users/${user.id}`, { email, skip_reconfirmation: true })
    expect(sure.json()).toMatchObject({ email, commit_email: email })
    const bad = await world.as('admin').put(`/users/${user.id}`, { email: 'no address' })
    expect(bad.statusCode).toBe(400)
    expect(bad.json()).toEqual({ message: { email: ['is invalid'] } })
  })

  it.each([
    ['Smith', 'The Forge', 'Smith at The Forge'],
    ['Smith', null, 'Smith'],
    ['', 'The Forge', 'The Forge'],
    [null, '', null],
  ])('tells of the job %j at %j: %j', async (job_title, organization, work_information) => {
    const { user } = await world.newUser()
    const body = { job_title, organization }
    const answer = await world.as('admin').put(`/users/${user.id}`, body)
    expect(answer.json()).toMatchObject({ job_title: job_title ?? '', work_information })
  })

  it('keeps pronouns, and tells the highest role a user has', async () => {
    const { user } = await world.newUser()
    const url = `/users/${user.id}`
    const admin = world.as('admin')
    expect((await admin.put(url, { pronouns: 'she/her' })).json()).toMatchObject({
      pronouns: 'she/her',
      highest_role: 0,
    })
    expect((await world.as('guest').get(url)).json()).toMatchObject({ pronouns: 'she/her' })
    const long = await admin.put(url, { pronouns: 'x'.repeat(51) })
    expect([long.statusCode, long.json()]).toEqual([
      400,
      { message: { pronouns: ['is too long (maximum is 50 characters)'] } },
    ])
    expect((await admin.put(url, { pronouns: null })).json().pronouns).toBeNull()
    const project = await world.newProject()
    for (const [access_level, at] of [
      [20, `/projects/${project.id}`],
      [40, `/groups/${(await world.newMemberedGroup()).id}`],
    ] as const) {
      await admin.post(`${at}/members`, { user_id: user.id, access_level })
      expect((await admin.get(url)).json().highest_role).toBe(access_level)
    }
    expect((await world.as('guest').get(url)).json()).not.toHaveProperty('highest_role')
  })

  it('puts an address of the user on their commits, for as long as it is theirs', async () => {
    const { user, client } = await world.newUser()
    const put = async (body: object) =>
      (await world.as('admin').put(`/users/${user.id}`, body)).json()
    const email = `second-${user.email}`
    const { id } = (
      await world.as('admin').post(`/users/${user.id}/emails`, { email, skip_confirmation: true })
    ).json()
    for (const commit_email of ['other@x.test', world.users.owner.email]) {
      expect(await put({ commit_email })).toEqual({
        message: { commit_email: ['is not an email you own'] },
      })
    }
    expect(await put({ commit_email: email })).toMatchObject({ commit_email: email })
    expect(await put({ bio: 'b' })).toMatchObject({ commit_email: email })
    const project = (
      await client.post('/projects', { name: 'Signed', initialize_with_readme: true })
    ).json()
    const [commit] = (await client.get(`/projects/${project.id}/repository/commits`)).json()
    expect(commit).toMatchObject({ author_email: email, committer_email: email })
    await client.delete(`/user/emails/${id}`)
    expect((await client.get('/user')).json()).toMatchObject({ commit_email: user.email })
    expect(await put({ commit_email: user.email })).toMatchObject({ commit_email: user.email })
    const next = { email: `next-${user.email}`, skip_reconfirmation: true }
    expect(await put(next)).toMatchObject({ commit_email: next.email, email: next.email })
    for (const commit_email of ['', null]) {
      expect(await put({ commit_email })).toMatchObject({ commit_email: next.email })
    }
  })

  it('takes only a confirmed address of the user for the public one', async () => {
    const { user } = await world.newUser()
    for (const public_email of ['other@x.test', world.users.owner.email]) {
      const answer = await world.as('admin').put(`/users/${user.id}`, { public_email })
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toEqual({ message: { public_email: ['is not an email you own'] } })
    }
    const unconfirmed = await world.newUser({ confirmed_at: null })
    const answer = await world
      .as('admin')
      .put(`/users/${unconfirmed.user.id}`, { public_email: unconfirmed.user.email })
    expect(answer.statusCode).toBe(400)
  })

  it('no longer shows an address the user has no more', async () => {
    const { user } = await world.newUser()
    const put = async (body: object) =>
      (
        await world.as('admin').put(`/users/${user.id}`, { ...body, skip_reconfirmation: true })
      ).json()
    await put({ public_email: user.email })
    expect(await put({ email: user.email.toUpperCase() })).toMatchObject({
      public_email: user.email,
    })
    expect(await put({ email: `new-${user.email}` })).toMatchObject({ public_email: '' })
  })

  it('makes a user change a password that an administrator gave them', async () => {
    const { user, client } = await world.newUser()
    expect((await client.get('/user')).statusCode).toBe(200)
    const answer = await world.as('admin').put(`/users/${user.id}`, { password: 'another one' })
    expect(answer.statusCode).toBe(200)
    const refused = await client.get('/user')
    expect(refused.statusCode).toBe(403)
    expect(refused.json()).toEqual({
      message:
        '403 Forbidden - Your password expired. Please access GitLab from a web browser to update your password.',
    })
    const bad = await world.as('admin').put(`/users/${user.id}`, { password: 'short' })
    expect(bad.json()).toEqual({
      message: { password: ['is too short (minimum is 8 characters)'] },
    })
  })

  it('lets an administrator go on who changes their own', async () => {
    const { user, client } = await world.newUser({ is_admin: true })
    await client.put(`/users/${user.id}`, { password: 'another one' })
    expect((await client.get('/user')).statusCode).toBe(200)
  })

  it('takes rights of their own from a user who becomes external, and gives them back', async () => {
    const { user } = await world.newUser()
    const put = async (body: object) =>
      (await world.as('admin').put(`/users/${user.id}`, body)).json()
    const none = { external: true, can_create_group: false, projects_limit: 0 }
    expect(await put({ external: true, projects_limit: 5 })).toMatchObject(none)
    expect(await put({ external: true, projects_limit: 5 })).toMatchObject({
      ...none,
      projects_limit: 5,
    })
    expect(await put({ external: false, projects_limit: 4 })).toMatchObject({
      external: false,
      can_create_group: true,
      projects_limit: 4,
    })
    await put({ external: true })
    expect(await put({ external: false })).toMatchObject({ projects_limit: 100000 })
  })

  it('renames the namespace with the user; old paths lead on', async () => {
    const { user, client } = await world.newUser()
    const project = (await client.post('/projects', { name: 'Mine' })).json()
    const username = `${user.username}-renamed`
    const answer = await world.as('admin').put(`/users/${user.id}`, { username, name: 'Renamed' })
    expect(answer.json()).toMatchObject({ username, web_url: `http://bloomery.test/${username}` })
    const moved = (await client.get(`/projects/${project.id}`)).json()
    expect(moved).toMatchObject({
      path_with_namespace: `${username}/mine`,
      name_with_namespace: 'Renamed / Mine',
    })
    const old = await client.get(`/projects/${encodeURIComponent(`${user.username}/mine`)}`)
    expect(old.statusCode).toBe(301)
    const sameName = await world
      .as('admin')
      .put(`/users/${user.id}`, { username: username.toUpperCase() })
    expect(sameName.json()).toMatchObject({ username: username.toUpperCase() })
  })
})

describe('a picture', () => {
  const supported =
    'image/png, image/jpeg, image/gif, image/bmp, image/tiff, image/vnd.microsoft.icon'
  const serve = (url: string, headers = {}) =>
    world.app.server.inject({ url: url.replace('http://bloomery.test', ''), headers })
  const upload = async (filename: string, content: Buffer, id: number) => {
    const { body, options } = multipart({ bio: 'with picture', avatar: { filename, content } })
    return world.as('admin').put(`/users/${id}`, body, options)
  }

  it('comes with a form, is shown everywhere and served as nothing but a picture', async () => {
    const given = fields()
    const { body, options } = multipart({
      ...given,
      avatar: { filename: '../../my pic<1>.png', content: png(), type: 'text/html' },
    })
    const answer = await world.as('admin').post('/users', body, options)
    expect(answer.statusCode).toBe(201)
    const { id, avatar_url } = answer.json()
    expect(avatar_url).toBe(`http://bloomery.test/uploads/-/system/user/avatar/${id}/my_pic_1_.png`)
    const listed = await world.as('guest').get(`/users?username=${given.username}`)
    expect(listed.json()[0].avatar_url).toBe(avatar_url)
    const member = { user_id: id, access_level: 10 }
    await world.as('admin').post(`/projects/${world.projects.shut.id}/members`, member)
    const shown = await world.as('guest').get(`/projects/${world.projects.shut.id}/members/${id}`)
    expect(shown.json().avatar_url).toBe(avatar_url)
    const served = await serve(avatar_url)
    expect(served.statusCode).toBe(200)
    expect(served.rawPayload).toEqual(png())
    expect(served.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(png().length),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    })
    const head = await world.app.server.inject({
      method: 'HEAD',
      url: avatar_url.replace('http://bloomery.test', ''),
    })
    expect(head.statusCode).toBe(200)
    expect(head.rawPayload).toHaveLength(0)
    expect(head.headers['content-length']).toBe(String(png().length))
    const etag = String(served.headers.etag)
    const again = await serve(avatar_url, { 'if-none-match': etag })
    expect(again.statusCode).toBe(304)
    expect(again.rawPayload).toHaveLength(0)
    const changed = await upload('my pic<1>.png', png(7), id)
    expect(changed.json()).toMatchObject({ avatar_url, bio: 'with picture' })
    const newer = await serve(avatar_url, { 'if-none-match': etag })
    expect(newer.statusCode).toBe(200)
    expect(newer.rawPayload).toEqual(png(7))
  })

  it.each([
    ['a page', Buffer.from('<html><script>alert(1)</script></html>')],
    ['a drawing with a script in it', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['nothing', Buffer.alloc(0)],
  ])('is not %s, whatever it is called', async (_what, content) => {
    const { user } = await world.newUser()
    const answer = await upload('picture.png', content, user.id)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({
      message: {
        avatar: [
          `file format is not supported. Please try one of the following supported formats: ${supported}`,
        ],
      },
    })
    expect((await world.as('admin').get(`/users/${user.id}`)).json().bio).toBe('')
  })

  it('has at most 200 KB', async () => {
    const { user } = await world.newUser()
    const most = 200 * 1024 - png().length
    const answer = await upload('a.png', png(most + 1), user.id)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({
      message: { avatar: ['is too big (should be at most 200 KB)'] },
    })
    expect((await upload('a.png', png(most), user.id)).statusCode).toBe(200)
  })

  it.each([
    ['a.jpeg', '\xff\xd8\xff\xe0', 'image/jpeg', 'a.jpeg'],
    ['a.txt', 'GIF89a..', 'image/gif', 'a.txt.gif'],
    ['.png', 'BM......', 'image/bmp', 'png.bmp'],
    ['', 'II*\0....', 'image/tiff', 'avatar.tiff'],
    ['x'.repeat(300), '\0\0\x01\0', 'image/vnd.microsoft.icon', `${'x'.repeat(96)}.ico`],
  ])('called %j is named by what it is', async (filename, head, type, name) => {
    const { user } = await world.newUser()
    const { avatar_url } = (await upload(filename, Buffer.from(head, 'latin1'), user.id)).json()
    expect(avatar_url.split('/').at(-1)).toBe(name)
    expect((await serve(avatar_url)).headers['content-type']).toBe(type)
  })

  it('is served under its own address alone', async () => {
    const { user } = await world.newUser()
    const { avatar_url } = (await upload('a.png', png(), user.id)).json()
    for (const url of [
      avatar_url.replace('a.png', 'b.png'),
      avatar_url.replace('/user/', '/project/'),
      avatar_url.replace('/user/', '/secret/'),
      avatar_url.replace(`/${user.id}/`, '/0/'),
      avatar_url.replace(`/${user.id}/`, '/99999999999999999999/'),
      avatar_url.replace('a.png', '..%2Fa.png'),
    ]) {
      const answer = await serve(url)
      expect(answer.statusCode).toBe(404)
      expect(answer.json()).toEqual({ error: '404 Not Found' })
    }
  })

  it('is set and taken away by its user', async () => {
    const { user, client } = await world.newUser()
    const { body, options } = multipart({ avatar: { filename: 'me.png', content: png() } })
    const answer = await client.put('/user/avatar', body, options)
    expect(answer.statusCode).toBe(200)
    const avatar_url = `http://bloomery.test/uploads/-/system/user/avatar/${user.id}/me.png`
    expect(answer.json()).toEqual({ avatar_url })
    expect((await client.get('/user')).json().avatar_url).toBe(avatar_url)
    const gone = await client.put('/user/avatar', { avatar: '' })
    expect(gone.json()).toEqual({ avatar_url: null })
    expect((await serve(avatar_url)).statusCode).toBe(404)
    const nobody = await world.as('anonymous').put('/user/avatar', { avatar: '' })
    expect(nobody.statusCode).toBe(401)
    const none = await client.put('/user/avatar', {})
    expect(none.json()).toEqual({ error: 'avatar is missing' })
  })

  it('is found by the public address, to everybody', async () => {
    const { user } = await world.newUser({})
    const { avatar_url } = (await upload('a.png', png(), user.id)).json()
    await world.as('admin').put(`/users/${user.id}`, { public_email: user.email })
    const find = async (email: string) =>
      (await world.as('anonymous').get(`/avatar?email=${encodeURIComponent(email)}&size=32`)).json()
    expect(await find(user.email.toUpperCase())).toEqual({ avatar_url })
    expect(await find(world.users.owner.email)).toEqual({ avatar_url: null })
    const none = await world.as('anonymous').get('/avatar')
    expect(none.statusCode).toBe(400)
    expect(none.json()).toEqual({ error: 'email is missing, email is empty' })
  })
})

describe('PUT /user', () => {
  const own = {
    skype: 'my.skype',
    linkedin: 'my-linkedin',
    twitter: '@me',
    website_url: 'https://me.test',
    organization: 'Org',
    job_title: 'Smith',
    pronouns: 'they/them',
    bio: 'About me',
    location: 'Here',
    private_profile: true,
  }

  it('answers nobody in particular with 401', async () => {
    const answer = await world.as('anonymous').put('/user', { bio: 'b' })
    expect([answer.statusCode, answer.json()]).toEqual([401, { message: '401 Unauthorized' }])
  })

  it('changes what people say of themselves, and answers the whole of it', async () => {
    const { user, client } = await world.newUser()
    const before = (await client.get('/user')).json()
    const username = `${user.username}-again`
    const given = { ...own, name: 'Another', username, public_email: user.email }
    const answer = await client.put('/user', given)
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({
      ...before,
      ...given,
      work_information: 'Smith at Org',
      web_url: `http://bloomery.test/${username}`,
    })
    expect((await client.get('/user')).json()).toEqual(answer.json())
    const cleared = await client.put('/user', { bio: null, location: null, public_email: '' })
    expect(cleared.json()).toMatchObject({ bio: '', location: null, public_email: '' })
  })

  it("changes nothing that is an administrator's to say", async () => {
    const { client, user } = await world.newUser()
    const before = (await world.as('admin').get(`/users/${user.id}`)).json()
    const answer = await client.put('/user', {
      ...{ bio: 'b', admin: true, projects_limit: 9, can_create_group: false, note: 'n' },
      ...{ email: 'other@x.test', password: 'another password', external: true, state: 'blocked' },
    })
    expect(answer.statusCode).toBe(200)
    const after = (await world.as('admin').get(`/users/${user.id}`)).json()
    expect(after).toEqual({ ...before, bio: 'b', last_activity_on: after.last_activity_on })
  })

  it.each([
    [{}, { error: expect.stringContaining('at least one parameter must be provided') }],
    [{ name: '' }, { message: { name: ["can't be blank"] } }],
    [{ bio: 'b'.repeat(256) }, { message: { bio: [expect.any(String)] } }],
    [
      { public_email: 'not-mine@x.test' },
      { message: { public_email: ['is not an email you own'] } },
    ],
    [{ private_profile: 'perhaps' }, { error: 'private_profile is invalid' }],
  ])('refuses %j', async (body, wanted) => {
    const { client } = await world.newUser()
    const before = (await client.get('/user')).json()
    const answer = await client.put('/user', body)
    expect([answer.statusCode, answer.json()]).toEqual([400, wanted])
    expect((await client.get('/user')).json()).toEqual(before)
  })

  it("takes nobody's name, and notes a new one", async () => {
    const { client, user } = await world.newUser()
    const taken = await client.put('/user', { username: world.users.owner.username })
    expect([taken.statusCode, taken.json()]).toEqual([
      404,
      { message: 'Username has already been taken' },
    ])
    await client.put('/user', { username: `${user.username}x` })
    const url = `/audit_events?entity_type=User&entity_id=${user.id}`
    const events = (await world.as('admin').get(url)).json()
    expect(JSON.stringify(events)).toContain(`${user.username}x`)
  })
})
