// The windows of the user's own settings.
import { win } from '../core/windows/index.ts'
import { updaterHeight } from './clients/computer.ts'
import type { PluginUpdaterProps } from './clients/plugin-updater.tsx'
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
  'cloudoc-clients': win<object>({
    title: 'clients.title',
    size: { width: 550, height: 480 },
    fromQuery: () => ({}),
    load: () => import('./clients/client-list.tsx').then((module) => module.ClientList),
    sample: {},
  }),
  'app-updater': win<object>({
    title: 'updater.title',
    // Width and height are ours (X79).
    size: { width: 450, height: 'auto' },
    resizable: false,
    single: true,
    fromQuery: () => ({}),
    load: () => import('./clients/app-updater.tsx').then((module) => module.AppUpdater),
    sample: {},
  }),
  'editor-plugin-updater': win<PluginUpdaterProps>({
    title: 'plugin.title',
    size: { width: 450, height: updaterHeight() },
    resizable: false,
    single: true,
    fromQuery: (query) => ({ current: query.get('current') ?? '' }),
    load: () => import('./clients/plugin-updater.tsx').then((module) => module.PluginUpdater),
    sample: { current: '2.3.8' },
  }),
  'log-report': win<object>({
    title: 'logs.title',
    size: { width: 470, height: 450 },
    minSize: { width: 470, height: 450 },
    single: true,
    fromQuery: () => ({}),
    load: () => import('./clients/log-report.tsx').then((module) => module.LogReport),
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
