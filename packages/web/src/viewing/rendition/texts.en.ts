// The English texts of this folder. A missing key does not compile.
import type { English } from '../../core/i18n/i18n.ts'
import type { renditionZh } from './texts.zh.ts'

export const renditionEn: English<typeof renditionZh> = {
  'drive.preview.missingImage': 'A picture that cannot be shown here',
  'drive.preview.missingObject': 'An object that cannot be shown here',
  'drive.preview.replacedFaces': 'Fonts that the server does not have, replaced by similar ones: {faces}',
  'drive.preview.listed': ', ',
}
