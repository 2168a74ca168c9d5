// The windows of the user's own settings.
import { win } from '../core/windows/index.ts'
import type { PersonCardProps } from './person-card.tsx'
import type { CropPictureProps } from './personal/crop-picture.tsx'
import type { PersonalSettingsProps } from './personal/personal-settings.tsx'
import type { SettingWindowProps } from './settings/setting-window.tsx'

export const accountWindows = {
  'cloudoc-setting': win<SettingWindowProps>({
    title: 'setting.title',
    size: { width: 550, height: 480 },
    resizable: false,
    single: true,
    fromQuery: () => ({}),
    load: () => import('./settings/setting-window.tsx').then((module) => module.SettingWindow),
    sample: {},
  }),
  'cloudoc-personalSettings': win<PersonalSettingsProps>({
    title: 'personal.title',
    size: { width: 550, height: 480 },
    single: true,
    fromQuery: () => ({}),
    load: () => import('./personal/personal-settings.tsx').then((module) => module.PersonalSettings),
    sample: {},
  }),
  'cloudoc-crop-avatar': win<CropPictureProps, string>({
    title: 'crop.title',
    size: { width: 520, height: 'auto' },
    resizable: false,
    load: () => import('./personal/crop-picture.tsx').then((module) => module.CropPicture),
    sample: {},
  }),
  'cloudoc-second-factor': win<object, boolean>({
    title: 'factor.title',
    size: { width: 480, height: 'auto' },
    resizable: false,
    single: true,
    load: () => import('./personal/second-factor.tsx').then((module) => module.SetUpFactor),
    sample: {},
  }),
  'cloudoc-technical-support': win<object>({
    title: 'support.title',
    size: { width: 420, height: 'auto' },
    resizable: false,
    single: true,
    fromQuery: () => ({}),
    load: () => import('./support.tsx').then((module) => module.Support),
    sample: {},
  }),
  'cloudoc-person-card': win<PersonCardProps>({
    title: 'card.title',
    size: { width: 320, height: 'auto' },
    resizable: false,
    single: true,
    load: () => import('./person-card.tsx').then((module) => module.PersonCard),
    sample: { accountId: 1 },
  }),
}
