import { type Examples, nothing } from '../../../../test/kit/examples.ts'

let accounts = 0

export const examples: Examples = {
  'GET /user/registration': nothing,
  'POST /user/registration': async () => {
    const username = `newcomer-${++accounts}`
    const email = `${username}@x.test`
    return { body: { name: 'Newcomer', username, email, password: 'a long pass phrase' } }
  },
}
