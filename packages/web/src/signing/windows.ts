// The windows of signing.
import { t } from '../core/i18n/i18n.ts'
import { longName } from '../core/windows/crowded.ts'
import { win } from '../core/windows/index.ts'
import { itemFromQuery, numberFromQuery } from '../items/item/item-from-query.ts'
import type { SignCheckProps } from './detail/sign-check.tsx'
import type { SignDetailProps } from './detail/sign-detail.tsx'
import type { SignRejectProps } from './detail/sign-reject.tsx'
import type { SignLaunchProps } from './launch/sign-launch.tsx'
import type { ExternalPerson, SignExternalProps } from './shared/external-window.tsx'
import type { SignImportProps } from './shared/import-window.tsx'
import type { PickedRole } from './shared/role-window.tsx'

export const signWindows = {
  'cloudoc-sign-launch': win<SignLaunchProps, { readonly activityId: number }>({
    title: ({ file }) => t('sign.launch.of', { name: file.fName }),
    size: { width: 610, height: 670 },
    fromQuery: async (query) => ({ file: await itemFromQuery(query) }),
    load: () => import('./launch/sign-launch.tsx').then((module) => module.SignLaunch),
    sample: { file: { fId: 1, fName: '采购框架合同（待签）.pdf', extName: 'pdf' } },
    crowded: () => ({ file: { fId: 1, fName: longName(), extName: 'pdf' } }),
  }),
  'cloudoc-sign-detail': win<SignDetailProps, boolean>({
    title: ({ name }) => (name === undefined ? t('sign.detail.title') : t('sign.detail.of', { name })),
    size: { width: 580, height: 610 },
    fromQuery: (query) => ({ activityId: numberFromQuery(query, 'activityId') }),
    load: () => import('./detail/sign-detail.tsx').then((module) => module.SignDetail),
    sample: { activityId: 1, name: '采购框架合同' },
    crowded: () => ({ activityId: 1, name: longName() }),
  }),
  // The documents give no size (X79).
  'cloudoc-sign-setting': win<object>({
    title: 'sign.setting.title',
    size: { width: 680, height: 560 },
    single: true,
    fromQuery: () => ({}),
    load: () => import('./signatures/sign-setting.tsx').then((module) => module.SignSetting),
    sample: {},
  }),
  'sign-reject': win<SignRejectProps, boolean>({
    title: 'sign.act.reject.do',
    size: { width: 460, height: 'auto' },
    load: () => import('./detail/sign-reject.tsx').then((module) => module.SignReject),
    sample: { activityId: 1 },
  }),
  'sign-outside': win<SignExternalProps, ExternalPerson>({
    title: 'sign.outside.title',
    size: { width: 420, height: 'auto' },
    load: () => import('./shared/external-window.tsx').then((module) => module.SignExternal),
    sample: { taken: [] },
  }),
  'sign-import': win<SignImportProps, boolean>({
    title: ({ whose }) => t(whose === 'mine' ? 'sign.import.mine' : 'sign.import.company'),
    size: { width: 460, height: 'auto' },
    load: () => import('./shared/import-window.tsx').then((module) => module.SignImport),
    sample: { whose: 'mine' },
  }),
  'sign-roles': win<object, readonly PickedRole[]>({
    title: 'sign.role.title',
    size: { width: 460, height: 'auto' },
    load: () => import('./shared/role-window.tsx').then((module) => module.SignRoles),
    sample: {},
  }),
  'sign-check': win<SignCheckProps>({
    title: 'sign.check.title',
    size: { width: 520, height: 'auto' },
    load: () => import('./detail/sign-check.tsx').then((module) => module.SignCheck),
    sample: { fileId: 1 },
  }),
}
