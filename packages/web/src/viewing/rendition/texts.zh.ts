// The Chinese texts of this folder; texts.en.ts has the same keys.
export const renditionZh = {
  'drive.preview.missingImage': '这里有一张无法显示的图片',
  'drive.preview.missingObject': '这里有一个无法显示的对象',
  'drive.preview.replacedFaces': '服务器没有这些字体，用相近的代替：{faces}',
  'drive.preview.listed': '、',
} as const
