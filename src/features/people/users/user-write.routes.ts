import { type Static, Type } from 'typebox'
import { administrators, anyone } from '../../../access/rule.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import { endpointFactory } from '../../../http/endpoint.ts'
import { allOrNoneOf, atLeastOneOf } from '../../../http/parameters.ts'
import {
  file,
  namedObject,
  nonBlankText,
  nullableText,
  optionalBoolean,
  optionalText,
} from '../../../http/schema.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { randomText } from '../../../kernel/ids.ts'
import { limits } from '../../../kernel/limits.ts'
import { hashPassword } from '../../../kernel/secrets.ts'
import { avatarUrl } from '../../../subjects/avatar-url.ts'
import { findUserByPublicAddress, getUser, type User } from '../../../subjects/user.ts'
import {
  type AuditSource,
  changedFieldsWithValues,
  recordAuditEvent,
} from '../../basics/audit-events/audit-event.ts'
import { linkAvatar } from '../../basics/avatars/avatar.ts'
import { storeUploadedAvatar } from '../../basics/avatars/change-avatar.ts'
import { readSettings } from '../../basics/settings/setting.ts'
import { acceptInvitations } from '../members/accept-invitations.ts'
import {
  enqueueAddressChangeEmails,
  enqueueConfirmationEmail,
} from '../outgoing-emails/confirmation.tasks.ts'
import {
  enqueuePasswordResetEmail,
  invalidateResetLinksAndNotify,
} from '../outgoing-emails/password-reset.tasks.ts'
import { checkNewUser, createUser } from './create-user.ts'
import { SignedInUserJson, showSignedInUser, showUserToAdministrator } from './show-user.ts'
import { type UserChanges, updateUser } from './update-user.ts'
import { AdminUserJson } from './user.present.ts'
import {
  findSamlGroupFromInput,
  newUserColumnsFromInput,
  profileFields,
  upsertIdentityFromInput,
  userColumnsFromInput,
  userFields,
} from './user-input.ts'
import { passwordProblems } from './user-problems.ts'

const endpoint = endpointFactory({ tag: 'Users' })
const AvatarJson = namedObject('Avatar', { avatar_url: nullableText })
const body_bytes_max = limits.avatar_body_bytes

const nameAndAddressFields = {
  name: optionalText,
  username: optionalText,
  public_email: Type.Optional(nullableText),
  commit_email: Type.Optional(nullableText),
}

const PutInput = Type.Object({
  id: Type.Integer(),
  email: optionalText,
  password: optionalText,
  skip_reconfirmation: Type.Optional(Type.Boolean({ default: false })),
  ...nameAndAddressFields,
  ...userFields,
})

/** The fields that users may change themselves. The email address of an account is changed by confirming it. */
const OwnInput = Type.Object({ ...nameAndAddressFields, ...profileFields })

function namesAndAddressesOf({
  name,
  username,
  public_email,
  commit_email,
}: Static<typeof OwnInput>): UserChanges {
  return {
    ...(name === undefined ? {} : { name }),
    ...(username === undefined ? {} : { username }),
    ...(public_email === undefined ? {} : { public_email: public_email ?? '' }),
    ...(commit_email === undefined ? {} : { commit_email: commit_email || null }),
  }
}

/**
 * Returns the changes for a new email address, which waits for confirmation unless the administrator skips it. Setting
 * the current address cancels a waiting one.
 */
function emailChanges(user: User, email: string | undefined, isSure: boolean): Partial<User> {
  if (email === undefined) return {}
  if (isSure || email.toLowerCase() === user.email.toLowerCase()) {
    return { email, unconfirmed_email: null }
  }
  return { unconfirmed_email: email }
}

const auditedFields = [
  'username',
  'email',
  'unconfirmed_email',
  'is_admin',
  'external',
  'can_create_group',
] as const

/** Records an audit event of the fields that matter to access, and of a new password. */
async function recordChanges(source: AuditSource, before: User, after: User): Promise<void> {
  const entity = { kind: 'user', id: after.id } as const
  const changes = changedFieldsWithValues(before, after, auditedFields)
  if (Object.keys(changes).length > 0) {
    await recordAuditEvent(source, { action: 'user_changed', entity, details: { changes } })
  }
  if (before.password_digest !== after.password_digest) {
    await recordAuditEvent(source, { action: 'password_changed', entity })
  }
}

export const userWriteEndpoints = [
  endpoint({
    route: 'POST /users',
    summary: 'Create a user',
    scope: 'read_user',
    allow: administrators,
    // The password is hashed before the transaction begins, so that other writers do not wait for it.
    transaction: 'none',
    body_bytes_max,
    input: Type.Object({
      email: Type.String(),
      password: optionalText,
      reset_password: optionalBoolean,
      skip_confirmation: optionalBoolean,
      force_random_password: optionalBoolean,
      name: Type.String(),
      username: Type.String(),
      ...userFields,
    }),
    rules: [
      atLeastOneOf('password', 'reset_password', 'force_random_password'),
      allOrNoneOf('extern_uid', 'provider'),
    ],
    status: 201,
    answer: AdminUserJson,
    async run(context) {
      const { db, clock, input, config } = context
      const { email, name, username, reset_password, force_random_password } = input
      const isRandom = reset_password || force_random_password
      const password = isRandom ? randomText(40) : (input.password ?? '')
      const settings = await readSettings(db)
      const columns = newUserColumnsFromInput(input, { tier: config.tier, settings })
      await checkNewUser(db, { ...columns, email, name, username, password })
      const password_digest = await hashPassword(password)
      const avatar = await storeUploadedAvatar(context, input.avatar)
      const now = timestamp(clock)
      const isConfirmed = input.skip_confirmation || !config.confirmsEmails
      const user = await runTransaction(db, async (tx) => {
        const saml_group = await findSamlGroupFromInput(tx, input, config.tier)
        const created = await createUser(tx, clock, {
          ...columns,
          email,
          name,
          username,
          password_digest,
          provisioned_by_group_id: saml_group,
          avatar: avatar?.file_name ?? null,
          confirmed_at: isConfirmed ? now : null,
        })
        await upsertIdentityFromInput(tx, input, { user_id: created.id, saml_group, now })
        await recordAuditEvent(
          { ...context, db: tx },
          {
            action: 'user_created',
            entity: { kind: 'user', id: created.id },
            details: { is_admin: created.is_admin, external: created.external },
          },
        )
        const owner = { kind: 'user', id: created.id } as const
        if (avatar) await linkAvatar(tx, { owner, stored: avatar, now })
        const user_id = created.id
        if (!isConfirmed)
          await enqueueConfirmationEmail(tx, context, { user_id, email: created.email })
        if (reset_password) await enqueuePasswordResetEmail(tx, context, { user_id, isNew: true })
        return created
      })
      return showUserToAdministrator(context, user)
    },
  }),

  endpoint({
    route: 'PUT /users/:id(^\\d+$)',
    summary: 'Update a user',
    scope: 'read_user',
    allow: administrators,
    transaction: 'none',
    body_bytes_max,
    input: PutInput,
    rules: [allOrNoneOf('extern_uid', 'provider')],
    answer: AdminUserJson,
    async run(context) {
      const { db, clock, input, config, actor } = context
      const settings = await readSettings(db)
      await getUser(db, input.id)
      const { password, skip_reconfirmation = false } = input
      const isUsable = password !== undefined && passwordProblems(password).length === 0
      const password_digest = isUsable ? await hashPassword(password) : undefined
      const avatarChange = await storeUploadedAvatar(context, input.avatar)
      const now = timestamp(clock)
      const user = await runTransaction(db, async (tx) => {
        const before = await getUser(tx, input.id)
        const changes: UserChanges = {
          ...userColumnsFromInput(input, { before, tier: config.tier, settings }),
          ...emailChanges(before, input.email, skip_reconfirmation),
          ...namesAndAddressesOf(input),
          ...(password === undefined ? {} : { password }),
          ...(avatarChange === undefined ? {} : { avatarChange }),
        }
        if (password_digest !== undefined) {
          changes.password_digest = password_digest
          // A password that an administrator sets expires at once, so its user has to choose another one
          // first.
          changes.password_expires_at = actor.user?.id === before.id ? null : now
        }
        const updated = await updateUser(tx, clock, { user: before, changes })
        const saml_group = await findSamlGroupFromInput(tx, input, config.tier)
        await upsertIdentityFromInput(tx, input, { user_id: updated.id, saml_group, now })
        await enqueueAddressChangeEmails(tx, context, { before, after: updated })
        // With `skip_reconfirmation` the administrator confirms that the address belongs to the user.
        if (updated.email !== before.email && updated.confirmed_at !== null) {
          await acceptInvitations(tx, clock, updated)
        }
        if (password_digest !== undefined)
          await invalidateResetLinksAndNotify(tx, context, updated.id)
        await recordChanges({ ...context, db: tx }, before, updated)
        return updated
      })
      return showUserToAdministrator(context, user)
    },
  }),

  endpoint({
    route: 'PUT /user',
    summary: "Change the signed-in user's own profile",
    allow: anyone,
    transaction: 'none',
    input: OwnInput,
    rules: [atLeastOneOf(...Object.keys(OwnInput.properties))],
    answer: SignedInUserJson,
    async run(context) {
      const { db, clock, input, config, user: caller } = context
      const settings = await readSettings(db)
      const updated = await runTransaction(db, async (tx) => {
        const before = await getUser(tx, caller.id)
        const changes: UserChanges = {
          ...userColumnsFromInput(input, { before, tier: config.tier, settings }),
          ...namesAndAddressesOf(input),
        }
        const after = await updateUser(tx, clock, { user: before, changes })
        await recordChanges({ ...context, db: tx }, before, after)
        return after
      })
      return showSignedInUser(context, updated)
    },
  }),

  endpoint({
    route: 'PUT /user/avatar',
    summary: 'Set your avatar',
    scope: 'read_user',
    allow: anyone,
    transaction: 'none',
    body_bytes_max,
    input: Type.Object({ avatar: Type.Union([file(), Type.Null()]) }),
    answer: AvatarJson,
    async run(context) {
      const { db, clock, input, baseUrl, user: caller } = context
      const avatarChange = (await storeUploadedAvatar(context, input.avatar)) ?? null
      const { id, avatar } = await runTransaction(db, async (tx) => {
        const user = await getUser(tx, caller.id)
        return updateUser(tx, clock, { user, changes: { avatarChange } })
      })
      return { avatar_url: avatarUrl(baseUrl, { kind: 'user', id, avatar }) }
    },
  }),

  endpoint({
    route: 'GET /avatar',
    summary: 'Get the avatar of an email address',
    signIn: 'never',
    allow: anyone,
    input: Type.Object({
      email: nonBlankText(),
      size: Type.Optional(
        Type.Integer({ description: 'Taken and not used: pictures have one size.' }),
      ),
    }),
    answer: AvatarJson,
    async run({ db, input, baseUrl }) {
      const user = await findUserByPublicAddress(db, input.email)
      const avatar_url =
        user && avatarUrl(baseUrl, { kind: 'user', id: user.id, avatar: user.avatar })
      return { avatar_url: avatar_url ?? null }
    },
  }),
]
