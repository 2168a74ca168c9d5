import type { English } from '../core/i18n/i18n.ts'
import type { zh } from './texts.zh.ts'

export const en: English<typeof zh> = {
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
}
