// The English texts of this folder. A missing key does not compile.
import type { English } from '../../core/i18n/i18n.ts'
import type { diagnosticsZh } from './texts.zh.ts'

export const diagnosticsEn: English<typeof diagnosticsZh> = {
  'diagnostics.report': 'Send logs to an administrator',
  'diagnostics.device': 'Device service 37219',
  'diagnostics.device.good': 'Answers',
  'diagnostics.device.away': 'Not installed or not running: no editing with local programs',
  'diagnostics.device.unused': 'The company does not use local programs',
  'diagnostics.editing': 'Editing service 12345',
  'diagnostics.editing.good': 'Answers',
  'diagnostics.editing.away': 'No answer; it knows this page once a file was opened in a local program',
  'diagnostics.editing.unused': 'The company does not use local programs',
  'diagnostics.clock': 'Clock',
  'diagnostics.clock.good': 'As on the server',
  'diagnostics.clock.off': 'More than 30 seconds off: set the clock of this computer',
  'diagnostics.clock.unknown': 'The server did not tell its time',
  'diagnostics.linked.good': 'Answers; you are signed in',
  'diagnostics.linked.noPush': 'Answers, but live updates do not arrive: press F5 to see changes',
  'diagnostics.linked.session': 'Answers; you are not signed in there',
  'diagnostics.linked.invalid': 'Link no longer valid (-13): contact your administrator',
  'diagnostics.linked.missing': 'Link removed (-14)',
  'diagnostics.linked.away': 'No answer (-15)',
  'diagnostics.linked.faulty': 'Invalid answers (-16): contact your administrator',
}
