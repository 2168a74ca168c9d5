// The English texts of the page of the virus scanner; texts.zh.ts has the same keys.
import type { English } from '../../core/i18n/i18n.ts'
import type { antivirusPageZh } from './texts.zh.ts'

export const antivirusPageEn: English<typeof antivirusPageZh> = {
  'antivirus.on': 'Uploads are being checked; {n} waiting',
  'antivirus.off': 'No scanner is set, so nothing is checked',
  'antivirus.settings': 'Set up the scanner',
  'antivirus.test': 'Test the scanner',
  'antivirus.works': 'The scanner works; it calls the test file {name}',
  'antivirus.blind': 'The scanner answers but does not recognize the test file. Update its virus definitions.',
  'antivirus.problem': 'The scanner cannot be reached: {reason}',
  'antivirus.file': 'File',
  'antivirus.version': 'Version',
  'antivirus.virus': 'Virus',
  'antivirus.uploader': 'Uploaded by',
  'antivirus.time': 'Found',
  'antivirus.previous': 'Previous',
  'antivirus.next': 'Next',
  'antivirus.none': 'No virus found',
  'antivirus.noneMore':
    'A file with a virus is locked away: nobody can open, download or copy it. Whoever uploaded it and the system administrators are told.',
  'antivirus.closes': 'Closed until inspected',
  'antivirus.open': 'Open before they are inspected',
  'antivirus.away':
    'The scanner does not answer ({reason}): only uploaders can use new contents; they are inspected once it is back',
  'antivirus.awayOpen':
    'The scanner does not answer ({reason}): new contents are open; they are inspected once it is back',
  'antivirus.closed': 'Waiting; only their uploaders can use them ({n})',
  'antivirus.found': 'Viruses found',
  'antivirus.size': 'Size',
  'antivirus.since': 'Uploaded',
  'antivirus.why': 'Reason',
  'antivirus.waits': 'In the queue',
  'antivirus.again': 'Inspect now',
  'antivirus.again.done': '{n} contents will be inspected',
  'antivirus.release': 'Release',
  'antivirus.release.sure': 'Release “{name}” without an inspection?',
  'antivirus.release.sureMore':
    'Everybody with access can use it at once. It may be harmful; this is recorded in the audit log.',
}
