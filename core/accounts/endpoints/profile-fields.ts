import type { JoiRoot } from '@quire/registry';

export const pictureVersion = (joi: JoiRoot) =>
  joi.string().allow(null).required().description('Of the picture (`getUserPicture`); null while there is none');

/** How people see a user, in answers. */
export const profileFields = (joi: JoiRoot) => ({
  displayName: joi
    .string()
    .allow(null)
    .required()
    .description("The person's name, as a login provider or SCIM says it; several users may have the same"),
  pictureVersion: pictureVersion(joi),
});
