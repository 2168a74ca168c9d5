// Small images: user avatars and the company logo ([R350]).
import { z } from 'zod'
import { call } from '../call.ts'
import { feature } from '../feature.ts'
import { text } from '../fields.ts'

/** An uploaded image: base64 of a png or jpg of at most 100 KB; empty removes the image. */
export const Picture = text(140_000).regex(/^[A-Za-z0-9+/]*={0,2}$/)

export const pictures = feature({
  about: { name: 'pictures', text: 'Pictures of people and of the company' },
  calls: {
    getPicture: call({
      summary: 'Answers a picture of a person or of the company',
      title: { zh: '取得图片', en: 'Picture' },
      answers: 'image/*',
      kind: 'stream',
      method: 'GET',
      path: '/services2/user/getPicture/{pictureId}',
      auth: 'none',
      payload: 'none',
      origin: 'ours',
      open: 'a picture is named by 128 random bits, which only those learn who are shown it',
      input: z.strictObject({ pictureId: text(40) }),
      sample: (ids) => ({ pictureId: ids.pictureId }),
      data: z.never(),
      codes: ['notFound'],
    }),
  },
})
