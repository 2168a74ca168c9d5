// The windows of the centre.
import { win } from '../core/windows/index.ts'

export const notifyWindows = {
  'cloudoc-setting': win<object>({
    title: 'notify.settings',
    size: { width: 480, height: 'auto' },
    resizable: false,
    single: true,
    fromQuery: () => ({}),
    load: () => import('./settings.tsx').then((module) => module.AppSettings),
    sample: {},
  }),
}
