// Maintenance mode: only system administrators come in, everybody else sees a page that says why.
import { z } from 'zod'
import type { ContractFeature } from '../feature.ts'
import { text } from '../fields.ts'

export const maintenanceSettings = {
  inner: {
    maintenance_mode: z.boolean().default(false),
    maintenance_text: text(500).default(''),
  },
  administered: {
    maintenance_mode: {
      label: { zh: '维护模式', en: 'Maintenance mode' },
      note: {
        zh: '只有系统管理员可以使用，其他人看到维护页面。关闭后，页面自动恢复。',
        en: 'Only system administrators can use the server; everybody else sees a maintenance page, which goes away by itself afterwards.',
      },
      power: 'system',
      group: 'site',
      as: 'switch',
    },
    maintenance_text: {
      label: { zh: '维护说明', en: 'Maintenance message' },
      note: {
        zh: '显示在维护页面上，比如为什么维护、到几点结束。',
        en: 'Shown on the maintenance page, such as the reason and when it will be over.',
      },
      power: 'system',
      group: 'site',
      as: 'text',
      example: '系统升级，预计 22:00 恢复 / Upgrade, back at 22:00',
    },
  },
} as const satisfies NonNullable<ContractFeature['settings']>
