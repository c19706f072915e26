export const signInText = {
  code: 'Verification code or recovery code',
  codeHint: 'Enter the code from your authenticator app, or one of your recovery codes.',
  rootHint:
    'First time here? Sign in as root with the password that the server printed when it started.',
  explore: 'Explore public projects',
  signUp: 'Create an account',
  forgotten: 'Forgot your password?',
  login: 'Username or email',
  password: 'Password',
  resetAction: 'Send reset link',
  resetDone:
    'If an account has this email address, you will receive a link to reset your password in a few minutes.',
  resetEmail: 'Email',
  resetLead: 'Enter the email address of your account to receive a link to set a new password.',
  resetTitle: 'Reset password',
  signIn: 'Sign in',
  title: 'Sign in',
  wrongPassword: 'Invalid username or password',
  wrongCode: 'Invalid verification code',
  back: 'Back to sign in',
  alreadySignedIn: (name: string) => `You are signed in as ${name}.`,
  continue: 'Continue',
}
