// Limits of kind, size, space and number as a feature.
import { features } from '@cloudoc/contract'
import { fail, type UploadTypes } from '@cloudoc/domain'
import { feature } from '../../core/feature.ts'
import { quotaHandlers } from './index.ts'

export const quotas = feature({
  wire: features.quotas,
  open: () => ({
    handlers: quotaHandlers(),
    reactions: [
      {
        to: 'settings',
        react(_tx, heard) {
          for (const { change } of heard) assertTypes(change.after)
          return Promise.resolve()
        },
      },
    ],
  }),
})

/** A kind of file that may come in and may not is a mistake of whoever says so. */
function assertTypes({ upload_types_allowed: allowed, upload_types_denied: denied }: UploadTypes): void {
  const both = allowed.filter((ext) => denied.includes(ext))
  if (both.length > 0) fail('settingsContradict', both.join(' '))
}
