// The windows of this area.
import { t } from '../core/i18n/i18n.ts'
import { win } from '../core/windows/index.ts'
import type { OfflineViewerWindowProps } from './offline/offline-viewer.tsx'
import type { TemplateProps, TemplateResult } from './watermark-templates/template-window.tsx'

export const viewingWindows = {
  /** The offline copy of a file in this browser, for use when nobody can be authenticated ([R067]). */
  'drive-kept': win<OfflineViewerWindowProps>({
    title: 'drive.menu.preview',
    size: { width: 1030, height: 690 },
    fullScreen: true,
    load: () => import('./offline/offline-viewer.tsx').then((module) => module.OfflineViewerWindow),
    sample: { accountId: 0, fileId: 1 },
  }),
  'cloudoc-watermark-custom-template': win<TemplateProps, TemplateResult>({
    title: ({ template }) =>
      t(template === undefined ? 'company.mark.new' : 'company.mark.edit', { name: template?.templateName ?? '' }),
    size: { width: 1030, height: 690 },
    fromQuery: () => ({}),
    load: () => import('./watermark-templates/template-window.tsx').then((module) => module.TemplateWindow),
    sample: {},
  }),
  // [R279] A watermark of the person's own; its look is that of a template.
  'cloudoc-watermark-custom': win<TemplateProps, TemplateResult>({
    title: ({ template }) =>
      t(template === undefined ? 'company.mark.newOwn' : 'company.mark.edit', { name: template?.templateName ?? '' }),
    size: { width: 1030, height: 690 },
    fromQuery: () => ({ isOwn: true }),
    load: () => import('./watermark-templates/template-window.tsx').then((module) => module.TemplateWindow),
    sample: { isOwn: true },
  }),
}
