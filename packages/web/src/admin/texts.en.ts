// The English texts of the frame of the administration. A missing key does not compile.
import type { English } from '../core/i18n/i18n.ts'
import type { zh } from './texts.zh.ts'

export const en: English<typeof zh> = {
  'company.failed': 'This could not be read',
  'company.again': 'Try again',
  'company.unit': 'Unit',
  'company.unlimited': 'No limit',
  'admin.title': 'Manage',
  'admin.centre': 'Administration',
  'admin.group.organisation': 'Organization',
  'admin.group.policy': 'Policy',
  'admin.group.audit': 'Audit',
  'admin.group.operation': 'Operation',
  'admin.power.system': 'System administrator',
  'admin.power.security': 'Security administrator',
  'admin.power.audit': 'Audit administrator',
  'admin.byOther': 'Handled by the {who}',
  'admin.noPage': 'There is no such page',
  'admin.notYours': 'This page is handled by the {who}',
  'admin.notYoursMore': 'Your account does not have the power that it needs.',
  'admin.toFirst': 'Open “{page}”',
  'admin.toHome': 'Back to the files',
  'admin.page.settings': 'Server settings',
  'admin.page.safety': 'Safety policy',
  'admin.again': 'Try again',
  'admin.set.comma': ', ',
  'admin.set.unsavedBar': 'Changes that are not saved',
  'admin.set.unsaved': 'Not saved: {n}',
  'admin.set.drop': 'Discard',
  'admin.set.save': 'Save {n}',
  'admin.page.audit': 'Audit log',
}
