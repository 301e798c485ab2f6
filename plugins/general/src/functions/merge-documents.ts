export { mergeToFile as mergeDocuments } from '@quire/document/structure/merge';
