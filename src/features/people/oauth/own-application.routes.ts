// Applications that users register for themselves (docs/api/oauth.md, "Applications of users").
import { Type } from 'typebox'
import { anyone, type Rule } from '../../../access/rule.ts'
import { endpointFactory } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import { pageInput } from '../../../http/schema.ts'
import { forbidden } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { readSettings } from '../../basics/settings/setting.ts'
import {
  NewOwnApplicationJson,
  OwnApplicationJson,
  presentOwnApplication,
} from './application.present.ts'
import { listOauthApplications } from './application.store.ts'
import {
  applicationInput,
  changeOauthApplication,
  createOauthApplication,
  removeOauthApplication,
  renewOauthApplicationSecret,
} from './register-application.ts'

const endpoint = endpointFactory({ tag: 'Applications' })

/**
 * Callers with an OAuth token are refused: an application must not register applications in the name of its
 * user.
 */
const mayManageOwnApplications: Rule<unknown> = ({ actor }) => actor.token?.kind !== 'oauth'

const disabledText = 'Only administrators register applications on this server'

const idInput = { id: Type.Integer() }

export const ownApplicationEndpoints = [
  endpoint({
    route: 'GET /user/applications',
    summary: 'List the applications that you have registered',
    allow: anyone,
    input: Type.Object(pageInput),
    answer: Type.Array(OwnApplicationJson),
    async run({ db, user, range }) {
      const { rows, total } = await listOauthApplications(db, { owner_id: user.id }, range)
      return new Page({ items: rows.map(presentOwnApplication), total })
    },
  }),

  endpoint({
    route: 'POST /user/applications',
    summary: 'Register an application of your own',
    allow: mayManageOwnApplications,
    authorize: async ({ db }) => {
      const { user_oauth_applications } = await readSettings(db)
      return user_oauth_applications || forbidden(disabledText)
    },
    input: Type.Object(applicationInput),
    status: 201,
    answer: NewOwnApplicationJson,
    async run(context) {
      const { application, secret } = await createOauthApplication(context, context.input, {
        owner_id: context.user.id,
        trusted: false,
        applications_max: limits.oauth.user_applications_max,
      })
      return { ...presentOwnApplication(application), secret }
    },
  }),

  endpoint({
    route: 'PUT /user/applications/:id',
    summary: 'Change an application of your own',
    allow: mayManageOwnApplications,
    input: Type.Object({ ...idInput, ...Type.Partial(Type.Object(applicationInput)).properties }),
    answer: OwnApplicationJson,
    async run(context) {
      const { id, ...given } = context.input
      const owned = { id, owner_id: context.user.id }
      return presentOwnApplication(await changeOauthApplication(context, owned, given))
    },
  }),

  endpoint({
    route: 'POST /user/applications/:id/renew-secret',
    summary: 'Renew the secret of your application',
    allow: mayManageOwnApplications,
    input: Type.Object(idInput),
    status: 201,
    answer: NewOwnApplicationJson,
    async run(context) {
      const owned = { id: context.input.id, owner_id: context.user.id }
      const { application, secret } = await renewOauthApplicationSecret(context, owned)
      return { ...presentOwnApplication(application), secret }
    },
  }),

  endpoint({
    route: 'DELETE /user/applications/:id',
    summary: 'Delete your application and its tokens',
    allow: mayManageOwnApplications,
    input: Type.Object(idInput),
    status: 204,
    run: (context) =>
      removeOauthApplication(context, { id: context.input.id, owner_id: context.user.id }),
  }),
]
