// The English texts of this folder. A missing key does not compile.
import type { English } from '../../core/i18n/i18n.ts'
import type { editingPageZh } from './texts.zh.ts'

export const editingPageEn: English<typeof editingPageZh> = {
  'company.editing.file': 'File',
  'company.editing.library': 'Library',
  'company.editing.way': 'How',
  'company.editing.who': 'By whom',
  'company.editing.since': 'Since',
  'company.editing.more': 'Actions',
  'company.editing.way.alone': 'One person',
  'company.editing.way.together': 'Together in the page',
  'company.editing.way.office': 'On the office server',
  'company.editing.end': 'End editing',
  'company.editing.endOf': 'End the editing of “{name}”',
  'company.editing.ask':
    'End that {who} edit “{name}”? What they have not saved stays with them, and they can save a copy.',
  'company.editing.ended': '“{name}” is no longer being edited',
  'company.editing.nothing': 'Nobody is editing a file right now',
  'company.editing.next': 'Show more',
}
