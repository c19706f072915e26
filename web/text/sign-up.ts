export const signUpText = {
  title: 'Sign up',
  action: 'Create account',
  name: 'Full name',
  username: 'Username',
  email: 'Email',
  password: 'Password',
  passwordHint: (characters: number) => `At least ${characters} characters.`,
  disabled: 'Sign-up is disabled on this server. Ask an administrator for an account.',
  doneTitle: 'Account created',
  confirm: (email: string) => `Open the link in the email to ${email} to confirm your address.`,
  approval: 'An administrator must approve your account before you can sign in.',
}
