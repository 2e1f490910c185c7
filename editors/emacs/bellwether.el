;;; bellwether.el --- Live findings for Solidity  -*- lexical-binding: t -*-

;; Bellwether in Emacs 28 and newer, by Eglot or by lsp-mode, whichever you use: load this file, with `bellwether' on your PATH.
;;
;;   (load "~/src/bellwether/editors/emacs/bellwether.el")
;;   (add-hook 'solidity-mode-hook #'eglot-ensure)      ; or #'lsp
;;
;; Solidity's major mode is in the package `solidity-mode'.  Eglot talks to one server for each buffer, so that Bellwether takes the
;; place of another one there; lsp-mode runs both.  Settings are the keys of bellwether.toml:
;;
;;   (setq-default eglot-workspace-configuration '(:bellwether (:workers 2)))      ; Eglot
;;   (lsp-register-custom-settings '(("bellwether.workers" 2)))                    ; lsp-mode, after it is loaded
;;
;; Programs that a project brings itself, such as a compiler that its configuration names, are not run, which a message tells.  To trust
;; all projects: (setq bellwether-trusted t), before this file is loaded.
;;
;; What the server is doing is in `bellwether-status', and in the mode line of Solidity buffers.

;;; Code:

(defvar bellwether-trusted nil
  "Whether programs that projects bring themselves may be run.")

(defvar bellwether-status ""
  "What Bellwether is doing: \"fuzzing, 1 finding\".")

(defun bellwether--note (state findings)
  "Remember the server's STATE and its number of FINDINGS."
  (setq bellwether-status
        (if (zerop findings) state
          (format "%s, %d finding%s" state findings (if (= findings 1) "" "s"))))
  (force-mode-line-update t))

;; The first regression test of a project may need a folder of its own, and Eglot creates none: the file could not be written.
(defun bellwether--make-folder ()
  "Create the folder of a new regression test."
  (when (string-suffix-p ".bellwether.t.sol" buffer-file-name)
    (make-directory (file-name-directory buffer-file-name) t))
  nil)
(add-hook 'find-file-not-found-functions #'bellwether--make-folder)

(add-to-list 'mode-line-misc-info
             '(:eval (when (derived-mode-p 'solidity-mode 'solidity-ts-mode) (concat " " bellwether-status)))
             t)

(declare-function eglot-current-server "eglot")
(declare-function jsonrpc-request "jsonrpc")
(declare-function lsp-find-workspace "lsp-mode")
(declare-function lsp-request "lsp-mode")
(defvar lsp--cur-workspace)

(defun bellwether--execute (command)
  "Have the server of this buffer execute COMMAND."
  (cond ((and (fboundp 'eglot-current-server) (eglot-current-server))
         (jsonrpc-request (eglot-current-server) :workspace/executeCommand (list :command command)))
        ((and (fboundp 'lsp-find-workspace) (lsp-find-workspace 'bellwether))
         ;; lsp-mode asks all servers of the buffer, but for this variable.
         (let ((lsp--cur-workspace (lsp-find-workspace 'bellwether)))
           (lsp-request "workspace/executeCommand" (list :command command))))
        (t (user-error "Bellwether is not running here"))))

(defun bellwether-pause ()
  "Pause fuzzing."
  (interactive)
  (bellwether--execute "bellwether.pause"))

(defun bellwether-resume ()
  "Resume fuzzing."
  (interactive)
  (bellwether--execute "bellwether.resume"))

(defun bellwether-clear ()
  "Clear all findings and the corpus, and begin anew."
  (interactive)
  (when (yes-or-no-p "Clear all findings and the corpus? ")
    (bellwether--execute "bellwether.clear")))

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs
               `((solidity-mode solidity-ts-mode)
                 . ("bellwether" "lsp" ,@(when bellwether-trusted '(:initializationOptions (:trusted t))))))

  (cl-defmethod eglot-handle-notification
    (_server (_method (eql bellwether/status)) &key state findings &allow-other-keys)
    "Show what the server is doing."
    (bellwether--note state findings)))

(with-eval-after-load 'lsp-mode
  (declare-function lsp-register-client "lsp-mode")
  (declare-function make-lsp-client "lsp-mode")
  (declare-function lsp-stdio-connection "lsp-mode")
  (declare-function lsp-activate-on "lsp-mode")

  (add-to-list 'lsp-language-id-configuration '(solidity-mode . "solidity"))
  (lsp-register-client
   (make-lsp-client :new-connection (lsp-stdio-connection '("bellwether" "lsp"))
                    :activation-fn (lsp-activate-on "solidity")
                    :initialization-options (lambda () (when bellwether-trusted '(:trusted t)))
                    :add-on? t
                    :notification-handlers
                    (let ((handlers (make-hash-table :test 'equal)))
                      (puthash "bellwether/status"
                               (lambda (_workspace status)
                                 (bellwether--note (gethash "state" status) (gethash "findings" status)))
                               handlers)
                      handlers)
                    :server-id 'bellwether)))

(provide 'bellwether)
;;; bellwether.el ends here
