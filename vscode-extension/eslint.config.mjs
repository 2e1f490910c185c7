// The lints: typescript-eslint's strictest set, with types. `npm test` runs it; a warning is an error.

import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist/", "node_modules/", "server/", "*.mjs"] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // Numbers in texts are what a status is made of.
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      // node:test gathers what `test` returns by itself.
      "@typescript-eslint/no-floating-promises": ["error", { allowForKnownSafeCalls: [{ from: "package", package: "node:test", name: ["test"] }] }],
      // One arrow for each row of a table, whether it returns something or not.
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
    },
  },
);
