// The English texts of linked servers.
import type { English } from '../../core/i18n/i18n.ts'
import type { linkedZh } from './linked-texts.zh.ts'

export const linkedEn: English<typeof linkedZh> = {
  'linked.server': 'Linked · {name}',
  'linked.state.ok': 'Available',
  'linked.state.paused': 'Paused by the administrator',
  'linked.state.invalid': 'Link no longer valid',
  'linked.state.missing': 'Link removed',
  'linked.state.notResponding': 'Not responding',
  'linked.state.faulty': 'Not working properly',
  'linked.asking': 'Signing in…',
  'linked.signedOut': 'Signed out',
  'linked.noAccount': 'Not signed in',
  'linked.notAsked': 'Could not sign in',
  'linked.signIn': 'Sign in',
  'linked.signIn.more': 'Sign in to {name}',
  'linked.signOut': 'Sign out',
  'linked.retry': 'Retry',
  'linked.menu': 'Actions for {name}',
  'linked.as': 'Account: {account}',
  'linked.since': 'since {time}',
  'linked.empty': 'No libraries are open to you there',
  'linked.down.title': '{name} is not available right now',
  'linked.down.invalid':
    'The link between the two servers is no longer valid, or is paused. Contact your administrator. Files on other servers are not affected.',
  'linked.down.missing': 'The link to {name} was removed. Files on other servers are not affected.',
  'linked.down.notResponding':
    '{name} does not respond. It is tried again automatically. Files on other servers are not affected.',
  'linked.down.faulty':
    '{name} sends invalid answers. Contact your administrator. Files on other servers are not affected.',
  'linked.down.code': 'Error code {code}',
  'linked.down.signIn': 'Sign in to {name} to see the files here.',
  'linked.diagnose': 'Connection diagnostics',
  'linked.missing': '{names}: {reason}. What it holds is not included here.',
  'linked.between': ', ',
  'linked.missing.retry': 'Retry',
  'linked.reason.notResponding': 'not responding',
  'linked.reason.invalid': 'link no longer valid',
  'linked.reason.missing': 'link removed',
  'linked.reason.faulty': 'not working properly',
  'linked.reason.refused': 'no answer',
  'linked.cleaned': '{names}: {reason}. The recycle bin there was not emptied.',
  'linked.window': 'Sign in to a linked server',
  'linked.window.text':
    'Sign in once with your account on {name}. After that you are signed in automatically. Only {name} checks the password; it is not stored here.',
  'linked.window.ended':
    'Your session on {name} has ended. Sign in again to continue. Otherwise the page reopens without the files of {name}.',
  'linked.window.account': 'Account on {name}',
  'linked.window.password': 'Password',
  'linked.window.factor': 'Verification code',
  'linked.window.ok': 'Sign in',
  'linked.window.later': 'Not now',
  'linked.window.leave': 'Do not sign in',
  'linked.window.typeBoth': 'Enter your account and password',
  'linked.window.refused': 'The password is correct, but {name} did not let you in. Contact the administrator there.',
}
